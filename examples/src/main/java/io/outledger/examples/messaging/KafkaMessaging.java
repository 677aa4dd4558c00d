// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.messaging;

import io.outledger.examples.Settings;
import io.outledger.inbox.BatchHandler;
import io.outledger.kafka.KafkaPublisher;
import io.outledger.kafka.KafkaReceiver;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;
import java.util.Map;

/** Kafka: a message's topic is a topic, and its key chooses the partition. */
record KafkaMessaging(Settings settings) implements Messaging {

  @Override
  public Publisher publisher(String source) {
    return KafkaPublisher.with(Map.of("bootstrap.servers", servers())).source(source);
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
            consumer + "-1");
    return KafkaReceiver.with(group).topics(topic).start(handler);
  }

  private String servers() {
    return settings.text("kafka.bootstrap.servers");
  }
}
