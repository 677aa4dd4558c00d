// SPDX-License-Identifier: Apache-2.0
package io.outledger.pulsar;

import io.outledger.Message;
import io.outledger.publish.Outcome;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.TypedMessageBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A topic of Pulsar as one client publishes to it. Messages wait here, in their order, until the
 * topic's producer is there. Where there is none to be had they are refused, and so are those that
 * come shortly after: none of them may overtake those before it. Thread-safe.
 */
final class PulsarTopic {

  /**
   * A message that is ready to be sent.
   *
   * @param position its position in the ledger
   * @param message the message
   * @param properties its headers
   */
  record Unsent(long position, Message message, Map<String, String> properties) {}

  // Answers what was on its way together; how often the topic is probed is the relay's decision.
  private static final long PAUSE_NANOS = Duration.ofMillis(300).toNanos();

  private final String name;
  private final PulsarPublisherClient client;
  private final TimeSource time = TimeSource.system();
  private final AtomicInteger unanswered = new AtomicInteger();

  // Guarded by this.
  private @Nullable Producer<byte[]> producer;
  private @Nullable Queue<Unsent> waiting;
  private @Nullable Outcome refusal;
  private long refusedUntil;

  PulsarTopic(String name, PulsarPublisherClient client) {
    this.name = name;
    this.client = client;
  }

  /** Sends a message, or has it wait for the producer, or refuses it. */
  synchronized void send(Unsent next) {
    Producer<byte[]> open = producer;
    if (open != null) {
      hand(open, next);
    } else if (waiting != null) {
      waiting.add(next);
    } else if (refusal != null && time.nanoTime() - refusedUntil < 0) {
      client.settle(next.position(), refusal);
    } else {
      waiting = new ArrayDeque<>();
      waiting.add(next);
      var unused = producer(name).whenComplete(this::produced);
    }
  }

  private CompletableFuture<Producer<byte[]>> producer(String of) {
    try {
      return client.newProducer(of);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private synchronized void produced(@Nullable Producer<byte[]> made, @Nullable Throwable failure) {
    Queue<Unsent> ready = waiting == null ? new ArrayDeque<>() : waiting;
    waiting = null;
    producer = made;
    if (made == null) {
      Outcome outcome = PulsarOutcomes.noProducer(failure, name);
      refuse(outcome);
      ready.forEach(each -> client.settle(each.position(), outcome));
    } else {
      ready.forEach(each -> hand(made, each));
    }
  }

  private void refuse(Outcome outcome) {
    refusal = outcome;
    refusedUntil = time.nanoTime() + PAUSE_NANOS;
  }

  /** In the order of calls, which the producer keeps. */
  private void hand(Producer<byte[]> open, Unsent next) {
    Message message = next.message();
    TypedMessageBuilder<byte[]> builder =
        open.newMessage()
            .value(message.isTombstone() ? null : message.payload())
            .properties(next.properties());
    String key = message.key();
    if (key != null) {
      builder.key(key);
    }
    long millis = message.time().toEpochMilli();
    if (millis > 0) { // Pulsar knows no time before
      builder.eventTime(millis);
    }
    unanswered.incrementAndGet();
    var unused =
        builder.sendAsync().whenComplete((id, failure) -> answered(open, next.position(), failure));
  }

  private void answered(Producer<byte[]> open, long position, @Nullable Throwable failure) {
    unanswered.decrementAndGet();
    if (failure == null) {
      client.settle(position, Outcome.PUBLISHED);
      return;
    }
    Outcome outcome = PulsarOutcomes.notAcknowledged(failure, name);
    if (PulsarOutcomes.isTopicToBlame(outcome)) {
      drop(open, outcome);
    }
    client.settle(position, outcome);
  }

  /** The producer takes no more; whether a new one would is asked after the pause. */
  private synchronized void drop(Producer<byte[]> broken, Outcome outcome) {
    if (producer == broken) {
      producer = null;
      refuse(outcome);
      var unused = broken.closeAsync();
    }
  }

  /** Closes the producer if nothing is on its way, and says whether it did. */
  synchronized boolean closedIdle() {
    if (waiting != null || unanswered.get() > 0) {
      return false;
    }
    Producer<byte[]> idle = producer;
    if (idle != null) {
      producer = null;
      var unused = idle.closeAsync();
    }
    return true;
  }
}
