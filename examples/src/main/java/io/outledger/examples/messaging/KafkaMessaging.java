// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.messaging;

import io.outledger.examples.Settings;
import io.outledger.inbox.BatchHandler;
import io.outledger.kafka.KafkaPublisher;
import io.outledger.kafka.KafkaReceiver;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;
import java.util.Map;

/**
 * Kafka: a message's topic is a topic of the demo's own, and its key chooses the partition. So a
 * reader's programs can have the topics of the documents for themselves.
 */
public record KafkaMessaging(Settings settings) implements Messaging {

  /** Returns the topic of Kafka that has the messages of a topic. */
  public static String topicOf(String topic) {
    return "demo-" + topic;
  }

  @Override
  public Publisher publisher(String source) {
    return KafkaPublisher.with(Map.of("bootstrap.servers", servers()))
        .topics(KafkaMessaging::topicOf)
        .source(source);
  }

  @Override
  public RunningReceiver receive(String topic, String consumer, BatchHandler handler) {
    // A member with a name takes its own place again after a crash. Without one the group would
    // wait for the dead member until its session ends.
    Map<String, String> group =
        Map.of(
            "bootstrap.servers",
            servers(),
            "group.id",
            consumer,
            "group.instance.id",
            consumer + "-1",
            "isolation.level",
            "read_committed");
    return KafkaReceiver.with(group).topics(topicOf(topic)).start(handler);
  }

  private String servers() {
    return settings.text("kafka.bootstrap.servers");
  }
}
