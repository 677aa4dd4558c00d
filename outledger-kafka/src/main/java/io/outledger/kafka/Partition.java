// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.publish.Outcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A partition of a topic as one producer knows it. The first message goes alone, and what follows
 * waits until Kafka has it. A broker that knows nothing of a producer takes whatever comes first,
 * so of two requests on their way it could refuse the first, being told of the partition only in
 * between, and take the second: the first would never get in, and its keys would be out of order
 * (KAFKA-15591; from 4.5 on Kafka sees to it where nothing was ever written, and nowhere else).
 */
final class Partition {

  // Kafka forgets a producer that was silent for a day, unless told otherwise.
  private static final long SILENCE_NANOS_MAX = Duration.ofMinutes(30).toNanos();

  private final Topic topic;
  private final int number;
  private final KafkaPublisherClient client;
  private final Lookups threads;

  /** True once Kafka has a message of this producer: from then on all go straight to it. */
  private volatile boolean isOpen;

  // The relay's thread alone sends, so it alone uses this.
  private long sentAt;

  // All guarded by this.
  private final Queue<Unsent> waiting = new ArrayDeque<>();
  private boolean isFirstSent;
  private boolean isOpening;
  private @Nullable Outcome refusal;

  Partition(Topic topic, int number, KafkaPublisherClient client, Lookups threads) {
    this.topic = topic;
    this.number = number;
    this.client = client;
    this.threads = threads;
  }

  Topic topic() {
    return topic;
  }

  int number() {
    return number;
  }

  /** Hands a message to the producer, or lets it wait for the first one's acknowledgement. */
  void send(Unsent next) {
    long now = next.delivery().started();
    if (isOpen && now - sentAt > SILENCE_NANOS_MAX) {
      close();
    }
    sentAt = now;
    if (isOpen || !holdBack(next)) {
      client.hand(this, next);
    }
  }

  private synchronized void close() {
    isOpen = false;
    isFirstSent = false;
  }

  /** Holds a message back while the first one is not acknowledged; returns whether it did. */
  private synchronized boolean holdBack(Unsent next) {
    if (isOpen) {
      return false;
    }
    if (refusal != null) {
      client.report(next.delivery(), refusal);
      return true;
    }
    if (isFirstSent) {
      waiting.add(next);
      return true;
    }
    isFirstSent = true;
    return false;
  }

  /** Kafka has a message. The producer's own thread says so, and must not be made to wait. */
  void acknowledged() {
    if (!isOpen && startsToOpen()) {
      threads.run(this::open);
    }
  }

  private synchronized boolean startsToOpen() {
    boolean starts = !isOpening;
    isOpening = true;
    return starts;
  }

  private void open() {
    for (Unsent next = nextOrOpen(); next != null; next = nextOrOpen()) {
      client.hand(this, next);
    }
  }

  private synchronized @Nullable Unsent nextOrOpen() {
    Unsent next = waiting.poll();
    if (next == null) {
      isOpen = true;
      isOpening = false;
    }
    return next;
  }

  /** Says whether more than one message may be on its way. */
  boolean isOpen() {
    return isOpen;
  }

  /** A message was rejected: where it was the first one, the next is first. */
  void rejected() {
    if (!isOpen) {
      threads.run(this::sendFirst);
    }
  }

  private void sendFirst() {
    Unsent next = nextFirst();
    if (next != null) {
      client.hand(this, next);
    }
  }

  private synchronized @Nullable Unsent nextFirst() {
    if (isOpening || isOpen) {
      return null;
    }
    Unsent next = waiting.poll();
    isFirstSent = next != null;
    return next;
  }

  /** Ends this: what waits is told why, and what still comes. */
  synchronized void refused(Outcome outcome) {
    refusal = outcome;
    for (Unsent next = waiting.poll(); next != null; next = waiting.poll()) {
      client.report(next.delivery(), outcome);
    }
  }

  /** Says whether no message waits here. */
  synchronized boolean isIdle() {
    return waiting.isEmpty();
  }
}
