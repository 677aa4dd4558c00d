// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.utils.AppInfoParser;

/**
 * The topics of a broker.
 *
 * @param bootstrapServers where the broker is
 */
record KafkaTopics(String bootstrapServers) {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  void awaitBroker(Supplier<String> output) {
    try (Admin admin = admin()) {
      Await.until(
          () -> "Kafka takes connections:\n" + output.get(),
          PATIENCE,
          () -> !admin.describeCluster().nodes().get().isEmpty());
      VerifyNotes.started("kafka", AppInfoParser.getVersion());
    }
  }

  void create(String name, int partitions, int replicas, Map<String, String> configs) {
    try (Admin admin = admin()) {
      NewTopic topic = new NewTopic(name, partitions, (short) replicas).configs(configs);
      get(admin.createTopics(List.of(topic)).all(), "create topic " + name);
      Await.until("topic " + name + " has its leaders", PATIENCE, () -> hasLeaders(admin, name));
    }
  }

  void configure(String name, Map<String, String> configs) {
    ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, name);
    List<AlterConfigOp> changes =
        configs.entrySet().stream()
            .map(each -> new ConfigEntry(each.getKey(), each.getValue()))
            .map(entry -> new AlterConfigOp(entry, AlterConfigOp.OpType.SET))
            .toList();
    try (Admin admin = admin()) {
      get(admin.incrementalAlterConfigs(Map.of(topic, changes)).all(), "configure topic " + name);
    }
  }

  void delete(String name) {
    try (Admin admin = admin()) {
      get(admin.deleteTopics(List.of(name)).all(), "delete topic " + name);
      Await.until(
          "topic " + name + " is gone",
          PATIENCE,
          () -> !admin.listTopics().names().get().contains(name));
    }
  }

  void allow(String user, String name) {
    ResourcePattern topic = new ResourcePattern(ResourceType.TOPIC, name, PatternType.LITERAL);
    AccessControlEntry everything =
        new AccessControlEntry("User:" + user, "*", AclOperation.ALL, AclPermissionType.ALLOW);
    try (Admin admin = admin()) {
      get(admin.createAcls(List.of(new AclBinding(topic, everything))).all(), "allow " + user);
    }
  }

  private static boolean hasLeaders(Admin admin, String name) throws Exception {
    try {
      Map<String, TopicDescription> found =
          admin.describeTopics(List.of(name)).allTopicNames().get();
      return found.values().stream()
          .flatMap(topic -> topic.partitions().stream())
          .allMatch(partition -> partition.leader() != null && !partition.leader().isEmpty());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return false; // the broker has not heard of it yet
      }
      throw e;
    }
  }

  private static void get(KafkaFuture<?> future, String verb) {
    try {
      future.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("Cannot " + verb, e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted, cannot " + verb, e);
    }
  }

  private Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", bootstrapServers));
  }
}
