// SPDX-License-Identifier: Apache-2.0
package io.outledger.flow;

import io.outledger.Message;
import io.outledger.Require;
import io.outledger.publish.Outcome;

/**
 * A message that a {@link MessageFlow} has handed to its subscriber, who says what became of it.
 * Until then it counts as unfinished: after a crash, and where another subscriber takes over, it is
 * delivered again. Thread-safe.
 */
public final class FlowMessage {

  private final long position;
  private final Message message;
  private final FlowClient client;

  FlowMessage(long position, Message message, FlowClient client) {
    this.position = position;
    this.message = message;
    this.client = client;
  }

  /** Returns its position in the ledger, the same at every delivery: what an inbox remembers. */
  public long position() {
    return position;
  }

  /** Returns the message. */
  public Message message() {
    return message;
  }

  /**
   * Says that the message was processed and need not be delivered again.
   *
   * @return false where it is too late: the relay has lost its lease or was closed, another
   *     subscriber has taken over, or the message was settled before. It may be delivered again
   */
  public boolean acknowledge() {
    return client.settle(position, Outcome.PUBLISHED);
  }

  /**
   * Says that the message could not be processed. It is parked and delivered again after a
   * back-off, and later messages of its key that were not delivered yet wait for it. With the last
   * attempt it becomes a dead letter. To be called before more is requested: a message of the key
   * that was delivered already comes before it.
   *
   * @param reason what happened, for people; without payload or secrets
   * @return as {@link #acknowledge()} does
   */
  public boolean reject(String reason) {
    return client.reject(this, Outcome.suspect(Require.nonNull("reason", reason)));
  }

  /**
   * Says that the message can never be processed: it is a dead letter at once.
   *
   * @param reason what happened, for people; without payload or secrets
   * @return as {@link #acknowledge()} does
   */
  public boolean refuse(String reason) {
    return client.reject(this, Outcome.refused(Require.nonNull("reason", reason)));
  }

  void deliver() {
    client.deliver(position);
  }

  /** Says whether the other one is an earlier message of its key, from the same relay. */
  boolean isBehind(FlowMessage other) {
    String key = message.key();
    return key != null
        && key.equals(other.message.key())
        && other.position < position
        && other.isFrom(client);
  }

  /** Has later messages of its key wait, those after the given position when they come. */
  void hold(long lastPosition) {
    String key = message.key();
    if (key != null) {
      client.holds().hold(key, lastPosition);
    }
  }

  /** Says whether it follows a rejected message of which its relay has not heard yet. */
  boolean isBehindRejected() {
    String key = message.key();
    return key != null && client.holds().keeps(key, position);
  }

  boolean isFrom(FlowClient other) {
    return client.equals(other);
  }

  /** Names the message, without its payload. */
  @Override
  public String toString() {
    return "FlowMessage[" + position + ", " + message + "]";
  }
}
