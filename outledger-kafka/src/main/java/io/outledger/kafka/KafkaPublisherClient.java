// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.Message;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.PublisherClient;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An idempotent producer for as long as nothing goes wrong with it. The first failure that leaves a
 * message's fate unknown ends it: were the producer to go on, it would send the messages behind
 * that one, which then comes after them when it is sent again.
 */
final class KafkaPublisherClient implements PublisherClient {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaPublisherClient.class);
  private static final Outcome ENDED =
      Outcome.unavailable("the Kafka client was closed before Kafka answered");
  private static final int TOPICS_MAX = 10_000;

  private final Producer<byte[], byte[]> producer;
  private final Outcomes outcomes;
  private final CloudEventHeaders headers;
  private final TopicRules rules;
  private final Lookups lookups;
  private final DeliveryWatch watch;
  // The relay's thread alone publishes, so it alone uses the map.
  private final Map<String, Topic> topics = new HashMap<>();
  private final Queue<Delivery> outstanding = new ConcurrentLinkedQueue<>();
  private volatile boolean ended;
  // Counted so that a look-up that got no answer can tell a lost topic from a lost broker.
  private volatile int answers;
  private volatile int page;

  private KafkaPublisherClient(
      Producer<byte[], byte[]> producer,
      Outcomes outcomes,
      CloudEventHeaders headers,
      TopicRules rules) {
    this.producer = producer;
    this.outcomes = outcomes;
    this.headers = headers;
    this.rules = rules;
    this.lookups = new Lookups(producer, this, rules);
    this.watch = new DeliveryWatch(outstanding, rules, this::close);
  }

  static KafkaPublisherClient open(
      Producer<byte[], byte[]> producer,
      Outcomes outcomes,
      CloudEventHeaders headers,
      TopicRules rules) {
    KafkaPublisherClient client = new KafkaPublisherClient(producer, outcomes, headers, rules);
    client.watch.start();
    return client;
  }

  @Override
  public void publish(long position, Message message) {
    Delivery delivery = new Delivery(position, rules.time().nanoTime(), this);
    remember(delivery);
    if (!ended) {
      start(delivery, message);
    }
    // Looked at again, since whoever closed this in between may have looked before it was
    // remembered.
    if (ended) {
      report(delivery, ENDED);
    }
  }

  private void start(Delivery delivery, Message message) {
    Topic topic;
    Unsent unsent;
    try {
      topic = topic(message.topic());
      unsent = new Unsent(delivery, message, headers.write(delivery.position(), message));
    } catch (RuntimeException e) {
      report(delivery, Failures.unwritable(e));
      return;
    }
    topic.send(unsent);
  }

  private Topic topic(String given) {
    Topic topic = topics.get(given);
    if (topic == null) {
      if (topics.size() >= TOPICS_MAX) {
        topics.values().removeIf(Topic::isIdle);
      }
      topic = new Topic(TopicNames.checked(rules.naming().apply(given)), this, lookups);
      topics.put(given, topic);
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
  @SuppressWarnings("FutureReturnValueIgnored") // the callback tells the same
  void hand(Partition partition, Unsent unsent) {
    Delivery delivery = unsent.delivery();
    if (ended) {
      report(delivery, ENDED);
      return;
    }
    delivery.sending(partition);
    try {
      producer.send(unsent.to(partition), delivery);
    } catch (RuntimeException e) {
      notSent(delivery, partition, e);
    } finally {
      delivery.sent();
    }
  }

  /** The broker has the message. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // only the producer's thread writes it
  void acknowledged(Delivery delivery, Partition partition) {
    answers++;
    report(delivery, Outcome.PUBLISHED);
    partition.acknowledged();
  }

  /** The producer did not take the message, and said so to the thread that handed it over. */
  void notSent(Delivery delivery, Partition partition, Exception failure) {
    Outcome outcome = Failures.outcome(failure);
    if (outcome instanceof Outcome.Unavailable) {
      // What the producer took before is ahead of this message, and may go on; nothing may follow.
      ended = true;
    } else if (Failures.isTopics(failure)) {
      partition.topic().refused(outcome);
    }
    report(delivery, outcome);
    partition.rejected();
  }

  /** The producer took the message and failed with it; called by the producer's own thread. */
  void failed(Delivery delivery, Partition partition, Exception failure) {
    Outcome outcome = ended ? ENDED : Failures.outcome(failure);
    if (!ended && outcome instanceof Outcome.Unavailable) {
      ended = true;
      // From its own thread this only tells the producer to stop, before it sends what follows.
      producer.close(Duration.ZERO);
    } else if (!ended && Failures.isTopics(failure)) {
      partition.topic().refused(outcome);
    }
    report(delivery, outcome);
    partition.rejected();
  }

  /** Says what a topic that could not be looked up means for its messages. */
  Outcome unknown(Topic topic, RuntimeException failure, int answersBefore) {
    Outcome outcome = Failures.outcome(failure);
    if (!(outcome instanceof Outcome.Unavailable)) {
      return outcome;
    }
    // An answer for one topic hides from the producer what the broker said of another.
    if (failure instanceof TimeoutException && answers != answersBefore && !ended) {
      return Outcome.suspect("Kafka answers, but not for topic " + topic.name());
    }
    ended = true;
    return outcome;
  }

  /** Returns how many partitions a topic has, as the producer knows without asking Kafka. */
  int partitions(String topic, int before) {
    try {
      return producer.partitionsFor(topic).size();
    } catch (RuntimeException e) {
      LOG.debug("the producer knows nothing of topic {} any more", topic, e);
      return before; // sending will tell
    }
  }

  /** Returns a number that changes with each page of messages. */
  int page() {
    return page;
  }

  int answers() {
    return answers;
  }

  /** Reports an outcome, unless one was reported before. */
  void report(Delivery delivery, Outcome outcome) {
    if (delivery.take()) {
      outcomes.report(delivery.position(), outcome);
    }
  }

  /** Only counts: without a linger time, the producer never waits for more to send. */
  @Override
  @SuppressWarnings("NonAtomicVolatileUpdate") // only the relay's thread writes it
  public void flush() {
    page++;
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
      report(delivery, ENDED);
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
      producer.close(Duration.ZERO);
      return true;
    } catch (InterruptException e) {
      return false;
    } catch (RuntimeException e) {
      LOG.warn("the Kafka producer's resources could not all be released", e);
      return true;
    }
  }
}
