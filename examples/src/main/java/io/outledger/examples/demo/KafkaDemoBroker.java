// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.examples.messaging.KafkaMessaging;
import io.outledger.servers.KafkaProcess;
import io.outledger.servers.KillableServer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Kafka: a log, so what arrived can simply be read again. */
record KafkaDemoBroker(KafkaProcess server, GroupLag lag) implements DemoBroker {

  private static final int PARTITIONS = 4;

  static DemoBroker start() {
    KafkaProcess server = KafkaProcess.start();
    server.createTopic(KafkaMessaging.topicOf("orders"), PARTITIONS, Map.of());
    server.createTopic(KafkaMessaging.topicOf("stock"), PARTITIONS, Map.of());
    server.createTopic(FirstSteps.TOPIC, 1, Map.of()); // of the reader, and left alone
    return new KafkaDemoBroker(server, new GroupLag(server.bootstrapServers(), "inventory"));
  }

  @Override
  public String title() {
    return "Kafka 4";
  }

  @Override
  public String details() {
    return "demo-orders and demo-stock, " + PARTITIONS + " partitions each";
  }

  @Override
  public Map<String, String> settings() {
    return Map.of("broker", "kafka", "kafka.bootstrap.servers", server.bootstrapServers());
  }

  @Override
  public Optional<KillableServer> killable() {
    return Optional.of(server);
  }

  @Override
  public OptionalLong unreceived() {
    return OptionalLong.of(lag.count());
  }

  @Override
  public List<Arrival> read(String topic) {
    return new TopicReader(server.bootstrapServers()).read(KafkaMessaging.topicOf(topic));
  }

  @Override
  public Optional<String> kafka() {
    return Optional.of(server.bootstrapServers());
  }

  @Override
  public List<String> commands() {
    String servers = server.bootstrapServers();
    return List.of(
        "./outledger topic " + servers + " demo-orders",
        "kafka-console-consumer.sh --bootstrap-server "
            + servers
            + " --topic demo-stock --from-beginning");
  }

  @Override
  public void close() {
    lag.close();
    server.close();
  }
}
