// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which topics of Kafka can be written, so that a message for another one does not fail the task. A
 * topic that is there is asked for again after a minute. Used by one thread.
 *
 * <p>Who is to blame is decided from all answers to a question, and the topic of heartbeats is in
 * each: where Kafka refuses to tell of a message's topic but tells of that one, the message is to
 * blame. With ACLs, Kafka refuses to tell of a topic that does not exist, too.
 */
final class KnownTopics implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(KnownTopics.class);
  private static final Duration KNOWN_FOR = Duration.ofMinutes(1);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final TopicLookup lookup;
  private final String heartbeats;
  private final TimeSource time;
  private final Map<String, Long> seenAt = new HashMap<>();

  KnownTopics(TopicLookup lookup, String heartbeats, TimeSource time) {
    this.lookup = lookup;
    this.heartbeats = heartbeats;
    this.time = time;
  }

  /**
   * Returns the topics that cannot be written, each with the reason.
   *
   * @throws ConnectException if Kafka refuses the client, or refuses it the topic of heartbeats:
   *     that is no message's fault
   * @throws InterruptedException if the thread was interrupted while it waited for Kafka
   */
  Map<String, String> refused(Set<String> topics) throws InterruptedException {
    long now = time.nanoTime();
    Set<String> asked = new HashSet<>(topics);
    asked.removeIf(topic -> isKnown(topic, now));
    if (asked.isEmpty()) {
      return Map.of();
    }
    asked.add(heartbeats);
    Map<String, String> refused = new HashMap<>();
    Set<String> forbidden = new TreeSet<>();
    for (Map.Entry<String, Optional<Throwable>> answer : lookup.ask(asked, PATIENCE).entrySet()) {
      String topic = answer.getKey();
      Throwable failure = answer.getValue().orElse(null);
      if (failure == null) {
        seenAt.put(topic, now);
      } else if (failure instanceof UnknownTopicOrPartitionException) {
        refused.put(topic, "the topic " + topic + " does not exist");
      } else if (failure instanceof TopicAuthorizationException) {
        forbidden.add(topic);
      } else if (failure instanceof AuthorizationException
          || failure instanceof AuthenticationException) {
        throw new ConnectException(
            "Kafka refuses the client of the settings kafka.*, which looks topics up: " + failure,
            failure);
      } else {
        LOG.debug("could not look up topic {}; the producer will tell", topic, failure);
      }
    }
    blame(forbidden).forEach(refused::put);
    return refused;
  }

  private Map<String, String> blame(Set<String> forbidden) {
    if (forbidden.contains(heartbeats)) {
      throw new ConnectException(
          "the client of the settings kafka.* has no right to describe "
              + (forbidden.size() == 1 ? "the topic " : "any of the topics ")
              + String.join(", ", forbidden)
              + ": allow DESCRIBE on the topic of heartbeats, "
              + heartbeats
              + ", and on those of the messages, and WRITE to the connector's producer");
    }
    Map<String, String> refused = new HashMap<>();
    for (String topic : forbidden) {
      refused.put(
          topic,
          "the topic "
              + topic
              + " does not exist, or the client of the settings kafka.* has no right to describe"
              + " it: Kafka does not tell which");
    }
    return refused;
  }

  private boolean isKnown(String topic, long now) {
    Long seen = seenAt.get(topic);
    return seen != null && now - seen < KNOWN_FOR.toNanos();
  }

  @Override
  public void close() {
    lookup.close();
  }
}
