// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;

/**
 * Asks Kafka's administrative client, which answers for hundreds of topics in one round trip. A
 * producer would wait two seconds for each topic that does not exist, and then ask for all of them
 * ten times a second, with a warning each time.
 */
final class AdminTopics implements TopicDirectory {

  private final Admin admin;
  private final int patienceMs;

  AdminTopics(Admin admin, int patienceMs) {
    this.admin = admin;
    this.patienceMs = patienceMs;
  }

  @Override
  public Map<String, CompletionStage<Integer>> ask(Set<String> names) {
    DescribeTopicsOptions options = new DescribeTopicsOptions().timeoutMs(patienceMs);
    Map<String, CompletionStage<Integer>> answers = new HashMap<>();
    admin
        .describeTopics(names, options)
        .topicNameValues()
        .forEach(
            (name, description) ->
                answers.put(
                    name, description.toCompletionStage().thenApply(d -> d.partitions().size())));
    return answers;
  }

  @Override
  public void close() {
    admin.close(Duration.ZERO);
  }
}
