// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which topics of Kafka can be written, so that a message for a missing one does not fail the task.
 * A topic that is there is asked for again after a minute. Used by one thread.
 */
final class KnownTopics implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(KnownTopics.class);
  private static final Duration KNOWN_FOR = Duration.ofMinutes(1);
  private static final int PATIENCE_MS = 10_000;

  private final Admin admin;
  private final TimeSource time;
  private final Map<String, Long> seenAt = new HashMap<>();

  KnownTopics(Admin admin, TimeSource time) {
    this.admin = admin;
    this.time = time;
  }

  /**
   * Returns which of these topics do not exist.
   *
   * @throws ConnectException if the client has no right to ask for one of them: that is not the
   *     messages' fault
   * @throws InterruptedException if the thread was interrupted while it waited for Kafka
   */
  Set<String> missing(Set<String> topics) throws InterruptedException {
    long now = time.nanoTime();
    Set<String> asked = new HashSet<>(topics);
    asked.removeIf(topic -> isKnown(topic, now));
    Set<String> missing = new HashSet<>();
    if (asked.isEmpty()) {
      return missing;
    }
    DescribeTopicsOptions options = new DescribeTopicsOptions().timeoutMs(PATIENCE_MS);
    for (Map.Entry<String, KafkaFuture<TopicDescription>> answer :
        admin.describeTopics(asked, options).topicNameValues().entrySet()) {
      try {
        answer.getValue().get();
        seenAt.put(answer.getKey(), now);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof UnknownTopicOrPartitionException) {
          missing.add(answer.getKey());
        } else if (e.getCause() instanceof AuthorizationException) {
          throw new ConnectException(
              "the client of the settings kafka.* has no right to describe the topic "
                  + answer.getKey()
                  + ": allow DESCRIBE on it, and WRITE to the connector's producer",
              e.getCause());
        } else {
          LOG.debug("could not look up topic {}; the producer will tell", answer.getKey(), e);
        }
      }
    }
    return missing;
  }

  private boolean isKnown(String topic, long now) {
    Long seen = seenAt.get(topic);
    return seen != null && now - seen < KNOWN_FOR.toNanos();
  }

  @Override
  public void close() {
    admin.close(Duration.ZERO);
  }
}
