// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.Message;
import io.outledger.Printable;
import io.outledger.cloudevents.CloudEventWriter;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.PublisherClient;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.header.Header;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An idempotent producer for as long as nothing goes wrong with it. The first failure that leaves a
 * message's fate unknown ends it: were the producer to continue, it would send the messages behind
 * that one, which then comes after them when it is sent again.
 */
final class KafkaPublisherClient implements PublisherClient {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaPublisherClient.class);
  private static final int TOPICS_MAX = 10_000;

  private final TopicDirectory directory;
  private final ProducerOnDemand producer;
  private final Outcomes outcomes;
  private final CloudEventWriter<Header> headers;
  private final TopicRules rules;
  private final Lookups lookups;
  private final DeliveryWatch watch;
  // The relay's thread alone publishes, so it alone uses the map.
  private final Map<String, Topic> topics = new HashMap<>();
  private final Queue<Delivery> outstanding = new ConcurrentLinkedQueue<>();

  /** What becomes of messages once this is ended. */
  private volatile Outcome end =
      Outcome.unavailable("the Kafka client was closed before Kafka answered");

  private volatile boolean ended;
  private volatile int page;

  private KafkaPublisherClient(
      TopicDirectory directory,
      ProducerOnDemand producer,
      Outcomes outcomes,
      CloudEventWriter<Header> headers,
      TopicRules rules) {
    this.directory = directory;
    this.producer = producer;
    this.outcomes = outcomes;
    this.headers = headers;
    this.rules = rules;
    this.lookups = new Lookups(directory, producer, rules);
    this.watch = new DeliveryWatch(outstanding, rules, this::giveUp);
  }

  static KafkaPublisherClient open(
      TopicDirectory directory,
      ProducerOnDemand producer,
      Outcomes outcomes,
      CloudEventWriter<Header> headers,
      TopicRules rules) {
    KafkaPublisherClient client =
        new KafkaPublisherClient(directory, producer, outcomes, headers, rules);
    client.watch.start();
    return client;
  }

  @Override
  public void publish(long position, int attempt, Message message) {
    Delivery delivery = new Delivery(position, rules.time().nanoTime(), this);
    remember(delivery);
    if (!ended) {
      start(delivery, message);
    }
    // Looked at again: whoever closed this in between may have looked before it was remembered.
    if (ended) {
      report(delivery, end);
    }
  }

  private void start(Delivery delivery, Message message) {
    Topic topic;
    Unsent unsent;
    try {
      topic = topic(rules.routing().topicOf(message));
      unsent = new Unsent(delivery, message, headers.write(delivery.position(), message));
    } catch (RuntimeException e) {
      report(delivery, KafkaOutcomes.unwritable(e));
      return;
    }
    topic.send(unsent);
  }

  /** One for each topic of Kafka, whatever messages go there: two would mix up a key's order. */
  private Topic topic(String name) {
    Topic topic = topics.get(name);
    if (topic == null) {
      if (topics.size() >= TOPICS_MAX) {
        topics.values().removeIf(Topic::isIdle);
      }
      topic = new Topic(TopicNames.checked(name), this, lookups);
      topics.put(name, topic);
    }
    return topic;
  }

  private void remember(Delivery delivery) {
    for (Delivery oldest = outstanding.peek();
        oldest != null && oldest.isReported();
        oldest = outstanding.peek()) {
      outstanding.poll();
    }
    outstanding.add(delivery);
  }

  /** Hands a message to the producer, in the order in which this is called for its partition. */
  void hand(Partition partition, Unsent unsent) {
    Delivery delivery = unsent.delivery();
    if (ended) {
      report(delivery, end);
      return;
    }
    long patience = TimeUnit.MILLISECONDS.toNanos(rules.times().lookupMs());
    Exception failure;
    do {
      failure = delivery.hand(producer.get(), unsent.to(partition), partition);
    } while (failure instanceof BufferExhaustedException // which it has waited for a little
        && !ended
        && rules.time().nanoTime() - delivery.started() < patience);
    if (failure != null) {
      notTaken(delivery, partition, failure);
    }
  }

  /** The broker has the message. */
  void acknowledged(Delivery delivery, Partition partition) {
    report(delivery, Outcome.PUBLISHED);
    partition.acknowledged();
  }

  private void notTaken(Delivery delivery, Partition partition, Exception failure) {
    Outcome outcome = KafkaOutcomes.notTaken(failure, rules.servers());
    if (outcome instanceof Outcome.Unavailable) {
      end = outcome;
      // What the producer took before is ahead of this message, and may go on; nothing may follow.
      ended = true;
    } else if (isTopicToBlame(outcome)) {
      partition.topic().refused(outcome);
    }
    report(delivery, outcome);
    partition.rejected();
  }

  /** The producer took the message and failed with it; called by the producer's own thread. */
  void failed(Delivery delivery, Partition partition, Exception failure) {
    boolean wasAlone = KafkaOutcomes.isExpired(failure) && !partition.isOpen();
    Outcome outcome = wasAlone ? unanswered(partition) : KafkaOutcomes.outcome(failure);
    if (ended) {
      outcome = end;
    } else if (wasAlone) {
      // What waits behind it was not sent, and must not get through where it did not.
      partition.topic().refused(Outcome.unreachable(((Outcome.Unavailable) outcome).reason()));
    } else if (outcome instanceof Outcome.Unavailable) {
      end = outcome; // what follows fails for the same reason
      ended = true;
      // From its own thread this only tells the producer to stop, before it sends what follows.
      producer.close();
    } else if (isTopicToBlame(outcome)) {
      partition.topic().refused(outcome);
    }
    report(delivery, outcome);
    partition.rejected();
  }

  private Outcome unanswered(Partition partition) {
    return KafkaOutcomes.unanswered(partition.topic().name(), rules.times());
  }

  private static boolean isTopicToBlame(Outcome outcome) {
    return outcome instanceof Outcome.Rejected rejected
        && rejected.kind() == Outcome.Rejected.Kind.TOPIC;
  }

  /**
   * Returns how many partitions the producer knows of a topic, blocking at most {@code blockMs}.
   */
  int partitions(String topic, int before) {
    try {
      return producer.get().partitionsFor(topic).size();
    } catch (RuntimeException e) {
      LOG.debug(
          "the producer no longer has metadata of topic {}",
          Printable.value(topic),
          Printable.trace(e));
      return before; // sending will tell
    }
  }

  /** Returns a number that changes with each page of messages. */
  int page() {
    return page;
  }

  /** Reports an outcome, unless one was reported before. */
  void report(Delivery delivery, Outcome outcome) {
    delivery.report(outcomes, rules.routing().told(outcome));
  }

  /** Only counts: without a linger time, the producer never waits for more to send. */
  @Override
  @SuppressWarnings("NonAtomicVolatileUpdate") // only the relay's thread writes it
  public void flush() {
    page++;
  }

  private void giveUp() {
    String noAnswer = KafkaOutcomes.noAnswer(rules.servers());
    end = Outcome.unavailable(noAnswer + ", for " + rules.times().totalMs() + " ms");
    close();
  }

  @Override
  public Set<Long> recall() {
    return Set.of();
  }

  @Override
  public void close() {
    ended = true;
    boolean interrupted = Thread.interrupted();
    while (!closed()) {
      interrupted |= Thread.interrupted();
    }
    lookups.stop();
    for (Delivery delivery : outstanding) {
      report(delivery, end);
    }
    // Last, since it may be the watch that closes this, and stopping it interrupts it.
    watch.stop();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  // An interrupt would let close() return while the producer's thread still sends.
  private boolean closed() {
    try {
      producer.close();
      directory.close();
      return true;
    } catch (InterruptException e) {
      return false;
    } catch (RuntimeException e) {
      LOG.warn("could not release all resources of the Kafka client", Printable.trace(e));
      return true;
    }
  }
}
