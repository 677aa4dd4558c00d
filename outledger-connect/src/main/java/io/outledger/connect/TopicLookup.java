// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;

/** Asks Kafka whether topics are there. Used by one thread. */
interface TopicLookup extends AutoCloseable {

  /**
   * Asks for topics, all at once.
   *
   * @param patience how long to wait for the answers
   * @return for each topic why it cannot be described, such as that it is unknown or that nobody
   *     has answered; empty where it is there
   * @throws InterruptedException if the thread was interrupted while it waited
   */
  Map<String, Optional<Throwable>> ask(Set<String> topics, Duration patience)
      throws InterruptedException;

  @Override
  void close();

  /** Returns one that asks with a client of its own. */
  static TopicLookup by(Admin admin) {
    return new TopicLookup() {
      @Override
      public Map<String, Optional<Throwable>> ask(Set<String> topics, Duration patience)
          throws InterruptedException {
        DescribeTopicsOptions options =
            new DescribeTopicsOptions().timeoutMs(Math.toIntExact(patience.toMillis()));
        Map<String, Optional<Throwable>> answers = new HashMap<>();
        for (Map.Entry<String, KafkaFuture<TopicDescription>> each :
            admin.describeTopics(topics, options).topicNameValues().entrySet()) {
          answers.put(each.getKey(), answer(each.getValue()));
        }
        return answers;
      }

      @Override
      public void close() {
        admin.close(Duration.ZERO);
      }
    };
  }

  private static Optional<Throwable> answer(KafkaFuture<TopicDescription> asked)
      throws InterruptedException {
    try {
      asked.get();
      return Optional.empty();
    } catch (ExecutionException e) {
      return Optional.of(e.getCause() == null ? e : e.getCause());
    }
  }
}
