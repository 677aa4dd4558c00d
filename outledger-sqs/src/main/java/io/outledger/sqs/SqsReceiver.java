// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.inbox.BatchHandler;
import io.outledger.receive.BrokerReceiver;
import io.outledger.receive.OpenReceiver;
import io.outledger.receive.QueueReceiver;
import io.outledger.receive.ReceiverSettings;
import io.outledger.receive.UnreadableMessages;
import java.time.Duration;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/**
 * Receives from a queue of Amazon SQS and hands the messages to a {@link BatchHandler}. A message
 * is deleted from the queue only after it has taken effect, or is parked; so after a crash it comes
 * again, and a handler with an inbox does nothing twice.
 *
 * <p>A FIFO queue keeps the order of each message group, and so of each key, whatever the number of
 * instances: SQS gives a group to one of them at a time. A standard queue keeps no order.
 *
 * <p>Immutable and thread-safe; each setter returns a copy.
 */
public final class SqsReceiver extends BrokerReceiver<SqsReceiver> {

  private static final Duration VISIBILITY_DEFAULT = Duration.ofSeconds(30);
  private static final Duration VISIBILITY_MIN = Duration.ofSeconds(2);
  private static final Duration VISIBILITY_MAX = Duration.ofHours(12);

  private final SqsAsyncClient client;
  private final SqsQueue queue;
  private final Duration visibility;

  private SqsReceiver(
      SqsAsyncClient client, SqsQueue queue, Duration visibility, ReceiverSettings settings) {
    super(settings);
    this.client = client;
    this.queue = queue;
    this.visibility = visibility;
  }

  /**
   * Makes a receiver. Nothing is opened.
   *
   * @param client of AWS's SDK, with region, credentials and whatever else is yours to choose; it
   *     stays yours to close, after the receiver
   * @param queue the name of a queue of the client's account and region, or a queue's URL; it must
   *     exist when messages are to come
   * @throws ConfigurationException {@code OUT-021} if an argument is null, or the queue is neither
   */
  public static SqsReceiver from(SqsAsyncClient client, String queue) {
    Require.nonNull("client", client);
    SqsQueue known = new SqsQueue(Require.nonNull("queue", queue));
    if (!known.isValid()) {
      throw invalid(
          "'"
              + queue
              + "' is not a queue of SQS: a name has up to 80 letters, digits, dashes and"
              + " underscores, and may end with .fifo");
    }
    return new SqsReceiver(client, known, VISIBILITY_DEFAULT, ReceiverSettings.DEFAULT);
  }

  /**
   * Returns a receiver with another visibility timeout: how long SQS waits for an instance to
   * delete a message before it delivers it again. Ten messages must have taken effect within it;
   * what waits for a retry is kept for longer.
   *
   * @param value 2 seconds to 12 hours, in whole seconds; the default is 30 seconds. The queue's
   *     own timeout does not matter
   * @throws ConfigurationException {@code OUT-021} if it is null or out of range
   */
  public SqsReceiver visibility(Duration value) {
    Require.nonNull("visibility", value);
    boolean isInRange =
        value.compareTo(VISIBILITY_MIN) >= 0
            && value.compareTo(VISIBILITY_MAX) <= 0
            && value.equals(Duration.ofSeconds(value.toSeconds()));
    if (!isInRange) {
      throw invalid("visibility must be 2 seconds to 12 hours in whole seconds, not " + value);
    }
    return new SqsReceiver(client, queue, value, settings);
  }

  /**
   * Returns a receiver that passes unreadable messages, those that are not CloudEvents, to a
   * handler and then skips them. By default, and if the handler fails, such a message blocks its
   * group, and in a standard queue only itself.
   *
   * @throws ConfigurationException {@code OUT-021} if it is null
   */
  public SqsReceiver unreadable(UnreadableMessages noting) {
    return with(settings.withUnreadable(noting));
  }

  /**
   * Returns a receiver with a name of its own for the place that its messages come from. An inbox
   * takes place, source and id together for a message's identity, so that nobody who may send to
   * one queue can impersonate a sender of another. By default the place is the queue's name.
   *
   * @param name 1 to 256 characters of ASCII without spaces; never to be changed
   * @throws ConfigurationException {@code OUT-021} if it has another form
   */
  public SqsReceiver origin(String name) {
    return with(settings.withOrigin(name));
  }

  @Override
  protected SqsReceiver with(ReceiverSettings other) {
    return new SqsReceiver(client, queue, visibility, other);
  }

  @Override
  protected OpenReceiver open(BatchHandler handler) {
    SqsSession session = new SqsSession(client, queue, visibility, settings);
    return QueueReceiver.start(settings.context("SQS " + queue), handler, session::open);
  }

  private static ConfigurationException invalid(String text) {
    return new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, text);
  }

  /** Names the queue. */
  @Override
  public String toString() {
    return "SqsReceiver[" + queue + "]";
  }
}
