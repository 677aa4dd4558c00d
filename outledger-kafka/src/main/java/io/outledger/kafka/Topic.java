// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.publish.Outcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A topic of Kafka as one client knows it. The producer would block its caller, and with it all
 * other topics, to find out whether a topic exists; so that is asked on another thread, while the
 * topic's messages wait here in their order. A topic that does not exist is asked for again when a
 * message comes after a pause, and until then its messages are rejected at once.
 */
final class Topic {

  // Answers what was on its way together; how often the topic is probed is the relay's decision.
  private static final long PAUSE_NANOS = Duration.ofMillis(300).toNanos();

  private final String name;
  private final KafkaPublisherClient client;
  private final Lookups lookups;

  /** Set once the producer knows it: from then on messages go to their partitions. */
  private volatile @Nullable Partitions partitions;

  // All guarded by this.
  private @Nullable Queue<Unsent> waiting;
  private @Nullable Outcome refusal;
  private long refusedUntil;

  Topic(String name, KafkaPublisherClient client, Lookups lookups) {
    this.name = name;
    this.client = client;
    this.lookups = lookups;
  }

  String name() {
    return name;
  }

  /** Sends a message to its partition, or lets it wait for the topic, or rejects it. */
  void send(Unsent next) {
    Partitions known = partitions;
    if (known != null) {
      known.send(next);
    } else {
      sendUnknown(next);
    }
  }

  private synchronized void sendUnknown(Unsent next) {
    Partitions known = partitions;
    if (known != null) {
      known.send(next);
    } else if (waiting != null) {
      waiting.add(next);
    } else if (refusal != null && lookups.nanoTime() - refusedUntil < 0) {
      client.report(next.delivery(), refusal);
    } else {
      waiting = new ArrayDeque<>();
      waiting.add(next);
      lookups.start(this);
    }
  }

  /** Ends the look-up: the topic exists, so what waited is sent, and what follows goes straight. */
  synchronized void found(int count) {
    Partitions found = new Partitions(this, client, lookups, count);
    for (Unsent next : takeWaiting()) {
      found.send(next);
    }
    partitions = found;
    refusal = null;
  }

  /** Ends the look-up or a topic that was known: what waits is told why. */
  void refused(Outcome outcome) {
    Partitions known = partitions;
    for (Unsent next : refuse(outcome)) {
      client.report(next.delivery(), outcome);
    }
    if (known != null) {
      known.refused(outcome);
    }
  }

  private synchronized Queue<Unsent> refuse(Outcome outcome) {
    partitions = null;
    refusal = outcome instanceof Outcome.Rejected ? outcome : null;
    refusedUntil = lookups.nanoTime() + PAUSE_NANOS;
    return takeWaiting();
  }

  /** Says whether no message waits here, so that it may be forgotten. */
  synchronized boolean isIdle() {
    Partitions known = partitions;
    return waiting == null && (known == null || known.isIdle());
  }

  private Queue<Unsent> takeWaiting() {
    Queue<Unsent> taken = waiting == null ? new ArrayDeque<>() : waiting;
    waiting = null;
    return taken;
  }
}
