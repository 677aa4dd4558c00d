// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import java.time.Duration;

/** What a receiver did, as its listener is told. */
public sealed interface ReceiverEvent {

  /** An event that is about one message. */
  sealed interface OfMessage extends ReceiverEvent {

    /** Returns the message. */
    ParkedReceived message();
  }

  /**
   * Deliveries were acknowledged: each message has taken effect, now or before, or is parked, or
   * concerns nobody. The broker may deliver them again even so, if the acknowledgement is lost.
   *
   * @param deliveries how many
   * @param took from when the receiver got them until their transaction had ended, by the monotonic
   *     clock
   */
  record Acknowledged(int deliveries, Duration took) implements ReceiverEvent {}

  /** A delivery that cannot be read was given to whoever notes such deliveries, and passed over. */
  record SetAside(String place, String reason) implements ReceiverEvent {}

  /** A message failed and is parked; it is tried again after the delay. */
  record Parked(ParkedReceived message, int attempts, String reason, Duration delay)
      implements OfMessage {}

  /** A message is held behind a parked one of its key. */
  record Held(ParkedReceived message) implements OfMessage {}

  /** A message is a dead letter now. */
  record Died(ParkedReceived message, int attempts, String reason) implements OfMessage {}

  /** A parked message has taken effect at last. */
  record Recovered(ParkedReceived message) implements OfMessage {}

  /** A parked message was discarded, as an operator wanted. */
  record Discarded(ParkedReceived message) implements OfMessage {}

  /** The consumer has as many parked messages as it may; streams that need room are paused. */
  record Full(ParkedReceived message, int parkedMax, Duration delay) implements OfMessage {}

  /** The database or another service cannot be reached; the stream is paused, nothing is parked. */
  record Unavailable(ParkedReceived message, String reason, Duration delay) implements OfMessage {}

  /** Several keys of a topic and type failed in a row; their streams are paused, but for probes. */
  record BreakerOpened(String topic, String type, String reason) implements ReceiverEvent {}

  /** A message of the topic and type has taken effect again. */
  record BreakerClosed(String topic, String type) implements ReceiverEvent {}

  /**
   * An open breaker was forgotten, because those of too many other topics and types fail: its
   * messages are tried again, and may fail as before.
   */
  record BreakerForgotten(String topic, String type) implements ReceiverEvent {}

  /**
   * Not all can be received that should be: the broker cannot be reached, or refuses, or a topic is
   * missing or may not be read. It is tried again after the delay. Told at each attempt.
   */
  record CannotReceive(String reason, Duration delay) implements ReceiverEvent {}

  /** Another instance receives, and this one waits for its turn. */
  record StandsBy(String reason) implements ReceiverEvent {}

  /** It receives again, after {@link CannotReceive} or {@link StandsBy}. */
  record ReceivesAgain() implements ReceiverEvent {}

  /**
   * It receives nothing more until it is started again: it must not go on, or another one has its
   * place. Only {@link Closed} follows.
   */
  record Ended(String reason) implements ReceiverEvent {}

  /** It was closed or paused: it is not at its broker any more, and nothing is wrong with that. */
  record Closed() implements ReceiverEvent {}

  /** Parked messages could not be read or changed; it is tried again. */
  record RetriesFailed(String reason) implements ReceiverEvent {}
}
