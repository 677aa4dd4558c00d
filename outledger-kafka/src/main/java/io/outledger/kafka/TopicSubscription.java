// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.Printable;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Subscribes a group's member to the topics that may be read. Kafka answers for all topics with an
 * error where one is denied, so that one is left out for a while. For one thread.
 */
final class TopicSubscription {

  private static final Logger LOG = LoggerFactory.getLogger(TopicSubscription.class);
  private static final Duration ASK = Duration.ofSeconds(2);

  private final Consumer<byte[], byte[]> consumer;
  private final ConsumerRebalanceListener listener;
  private final SubscribedTopics topics;

  TopicSubscription(
      Consumer<byte[], byte[]> consumer,
      ConsumerRebalanceListener listener,
      Collection<String> topics) {
    this.consumer = consumer;
    this.listener = listener;
    this.topics = new SubscribedTopics(topics);
  }

  void subscribe() {
    consumer.subscribe(topics.current(), listener);
  }

  /** Returns the topics that it is subscribed to. */
  Collection<String> current() {
    return topics.current();
  }

  boolean isDenied(TopicPartition partition) {
    return topics.isDenied(partition.topic());
  }

  /** Subscribes again to topics that were left out for long enough. */
  void takeDue(long now) {
    if (topics.takeDue(now)) {
      subscribe();
    }
  }

  /**
   * Leaves out the topics that may not be read.
   *
   * @throws TopicAuthorizationException the given one where that leaves none, or it is not found
   *     out which they are
   */
  void leaveOut(TopicAuthorizationException failure, long now) {
    Set<String> named = failure.unauthorizedTopics();
    if (topics.denied(named.isEmpty() ? denied() : named, now)) {
      subscribe();
    }
    if (topics.isNoneLeft() || !topics.isAnyDenied()) {
      throw failure;
    }
    consumer.pause(
        consumer.assignment().stream().filter(this::isDenied).collect(Collectors.toSet()));
  }

  /** Says that topics may not be read, and what follows. */
  static String denied(TopicAuthorizationException failure) {
    return "not authorized to read topics; skips them for 15 s: " + Printable.text(failure);
  }

  /** Asks for each topic by itself: a member of a group is told that one is denied, not which. */
  private Set<String> denied() {
    Set<String> denied = new HashSet<>();
    for (String topic : topics.current()) {
      try {
        int partitions = consumer.partitionsFor(topic, ASK).size();
        LOG.debug("authorized to read {}: {} partitions", topic, partitions);
      } catch (TopicAuthorizationException e) {
        denied.add(topic);
      } catch (TimeoutException e) {
        LOG.debug("authorization for {} and the following topics is currently unknown", topic);
        return denied;
      } catch (RetriableException e) {
        LOG.debug("authorization for {} is currently unknown", topic);
      }
    }
    return denied;
  }
}
