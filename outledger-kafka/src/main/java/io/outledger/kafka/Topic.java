// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.publish.Outcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A topic of Kafka as one client knows it. The producer would block its caller, and with it all
 * other topics, to find out whether a topic exists; so that is asked on another thread, while the
 * topic's messages wait here in their order. A topic that does not exist is asked for again after a
 * pause that doubles, and until then its messages are rejected at once.
 */
final class Topic {

  private static final long PAUSE_NANOS_MIN = Duration.ofMillis(500).toNanos();
  private static final long PAUSE_NANOS_MAX = Duration.ofSeconds(30).toNanos();

  private record Waiting(ProducerRecord<byte[], byte[]> message, Delivery delivery) {}

  private final String name;
  private final KafkaPublisherClient client;
  private final Lookups lookups;

  /** True once the producer knows it: from then on messages go straight to the producer. */
  private volatile boolean known;

  // All guarded by this.
  private @Nullable Queue<Waiting> waiting;
  private @Nullable Outcome refusal;
  private long refusedUntil;
  private long pauseNanos = PAUSE_NANOS_MIN;

  Topic(String name, KafkaPublisherClient client, Lookups lookups) {
    this.name = name;
    this.client = client;
    this.lookups = lookups;
  }

  String name() {
    return name;
  }

  /** Hands a message to the producer, or lets it wait for the topic, or rejects it. */
  void send(ProducerRecord<byte[], byte[]> message, Delivery delivery) {
    if (known) {
      client.hand(this, message, delivery);
    } else {
      sendUnknown(message, delivery);
    }
  }

  private synchronized void sendUnknown(ProducerRecord<byte[], byte[]> message, Delivery delivery) {
    if (known) {
      client.hand(this, message, delivery);
    } else if (waiting != null) {
      waiting.add(new Waiting(message, delivery));
    } else if (refusal != null && lookups.nanoTime() - refusedUntil < 0) {
      client.report(delivery, refusal);
    } else if (lookups.start(this)) {
      waiting = new ArrayDeque<>();
      waiting.add(new Waiting(message, delivery));
    } else {
      client.report(delivery, Outcome.suspect("too many topics that Kafka does not know"));
    }
  }

  /** Ends the look-up: the topic exists, so what waited is sent, and what follows goes straight. */
  synchronized void found() {
    for (Waiting next : takeWaiting()) {
      client.hand(this, next.message(), next.delivery());
    }
    known = true;
    refusal = null;
    pauseNanos = PAUSE_NANOS_MIN;
  }

  /** Ends the look-up or a topic that was known: what waits is told why. */
  void refused(Outcome outcome) {
    for (Waiting next : refuse(outcome)) {
      client.report(next.delivery(), outcome);
    }
  }

  private synchronized Queue<Waiting> refuse(Outcome outcome) {
    known = false;
    refusal = outcome;
    refusedUntil = lookups.nanoTime() + pauseNanos;
    pauseNanos = Math.min(PAUSE_NANOS_MAX, 2 * pauseNanos);
    return takeWaiting();
  }

  /** Says whether no message waits here, so that it may be forgotten. */
  synchronized boolean isIdle() {
    return waiting == null;
  }

  private Queue<Waiting> takeWaiting() {
    Queue<Waiting> taken = waiting == null ? new ArrayDeque<>() : waiting;
    waiting = null;
    return taken;
  }
}
