// SPDX-License-Identifier: Apache-2.0
package io.outledger.pulsar;

import io.outledger.Message;
import io.outledger.Require;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.PublisherClient;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.jspecify.annotations.Nullable;

/**
 * Producers for as long as nothing goes wrong with them. One that lost its connection connects
 * again and sends, in their order, what was not acknowledged. The first message whose fate is
 * unknown ends all: were they to continue, what is behind that message would come before it.
 */
final class PulsarPublisherClient implements PublisherClient {

  private static final Outcome CLOSED =
      Outcome.unavailable("the Pulsar client was closed before Pulsar answered");
  private static final int TOPICS_MAX = 1_000;

  private final PulsarPublisher publisher;
  private final Outcomes outcomes;
  private final PulsarBinding binding;
  private final PulsarClient pulsar;
  private final Outcome silence;
  private final long answerNanos;
  // Used by the relay's thread alone.
  private final Map<String, PulsarTopic> topics = new HashMap<>();
  private final Map<Long, CompletableFuture<Outcome>> outstanding = new ConcurrentHashMap<>();

  /** What becomes of messages once this is ended. */
  private volatile @Nullable Outcome end;

  PulsarPublisherClient(PulsarPublisher publisher, Duration deliveryTimeMax, Outcomes outcomes) {
    this.publisher = publisher;
    this.outcomes = Require.nonNull("outcomes", outcomes);
    this.binding = new PulsarBinding(publisher.sourceUri());
    this.answerNanos = Require.nonNull("deliveryTimeMax", deliveryTimeMax).toNanos() / 8 * 7;
    this.silence =
        Outcome.unavailable(
            "no answer from Pulsar at %s for %s ms"
                .formatted(publisher.cluster(), TimeUnit.NANOSECONDS.toMillis(answerNanos)));
    this.pulsar = publisher.cluster().open(deliveryTimeMax.dividedBy(2));
  }

  @Override
  public void publish(long position, int attempt, Message message) {
    CompletableFuture<Outcome> answer = new CompletableFuture<>();
    outstanding.put(position, answer);
    var unused =
        answer
            .completeOnTimeout(silence, answerNanos, TimeUnit.NANOSECONDS)
            .thenAccept(outcome -> report(position, outcome));
    if (end == null) {
      start(position, message);
    }
    // Looked at again: whoever closed this in between may have looked before it was there.
    Outcome ended = end;
    if (ended != null) {
      report(position, ended);
    }
  }

  private void start(long position, Message message) {
    PulsarTopic topic;
    PulsarTopic.Unsent unsent;
    try {
      topic = topic(PulsarBinding.topic(publisher.topicOf(message.topic())));
      unsent = new PulsarTopic.Unsent(position, message, binding.properties(position, message));
    } catch (RuntimeException e) {
      settle(position, Outcome.refused(String.valueOf(e.getMessage())));
      return;
    }
    topic.send(unsent);
  }

  private PulsarTopic topic(String name) {
    if (topics.size() >= TOPICS_MAX && !topics.containsKey(name)) {
      topics.values().removeIf(PulsarTopic::closedIdle);
    }
    return topics.computeIfAbsent(name, unknown -> new PulsarTopic(unknown, this));
  }

  /**
   * Makes a producer. It numbers its messages itself, by which a broker with deduplication drops
   * what it sends again after it lost its connection. Positions would not do: one that is published
   * after a higher one, as when a message is retried, would be dropped as a duplicate, and be lost.
   */
  CompletableFuture<Producer<byte[]>> newProducer(String topic) {
    CompletableFuture<Producer<byte[]>> made =
        pulsar
            .newProducer()
            .topic(topic)
            .enableBatching(false) // whose keys would all go to one consumer
            .sendTimeout(
                0, TimeUnit.MILLISECONDS) // after which it would go on with the next message
            .maxPendingMessages(0) // the relay bounds what is on its way
            .createAsync();
    // A broker that takes connections and says nothing is more than the client's own time-out sees.
    CompletableFuture<Producer<byte[]>> inTime =
        made.copy().orTimeout(answerNanos / 4 * 3, TimeUnit.NANOSECONDS);
    return inTime.whenComplete(
        (producer, failure) -> {
          if (failure != null) {
            var unused = made.thenCompose(Producer::closeAsync); // where it still comes
          }
        });
  }

  /** Says what became of a message; for the first time only. */
  void settle(long position, Outcome outcome) {
    CompletableFuture<Outcome> answer = outstanding.get(position);
    if (answer != null) {
      answer.complete(outcome);
    }
  }

  /** Under a lock, so that nothing is reported any more when a close has returned. */
  private void report(long position, Outcome outcome) {
    if (outcome instanceof Outcome.Unavailable away
        && away.kind() == Outcome.Unavailable.Kind.LOST) {
      endWith(outcome);
    }
    synchronized (this) {
      if (outstanding.remove(position) != null) {
        outcomes.report(position, outcome);
      }
    }
  }

  @Override
  public void flush() {
    // Each message is handed to the client as it comes.
  }

  @Override
  public Set<Long> recall() {
    return Set.of();
  }

  @Override
  public void close() {
    endWith(CLOSED);
    // By whoever calls this, too: the thread that ended it may not have reported all of them yet.
    outstanding.keySet().forEach(position -> report(position, CLOSED));
  }

  /** Has the producers send nothing more. What is left of the client ends by itself, later. */
  private void endWith(Outcome outcome) {
    synchronized (this) {
      if (end != null) {
        return;
      }
      end = outcome;
    }
    var unused = pulsar.closeAsync();
    outstanding.keySet().forEach(position -> report(position, outcome));
  }
}
