// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import io.outledger.inbox.BatchHandler;
import io.outledger.kafka.KafkaPublisher;
import io.outledger.kafka.KafkaReceiver;
import io.outledger.kafka.KafkaShareReceiver;
import io.outledger.publish.Publisher;
import io.outledger.receive.ParkingHandler;
import io.outledger.receive.RunningReceiver;
import java.util.Map;

/** The two ends of Kafka. */
final class KafkaSettings {

  private KafkaSettings() {}

  static Publisher publisher() {
    Publisher kafka =
        KafkaPublisher.with(Map.of("bootstrap.servers", "kafka-1:9092,kafka-2:9092"))
            .source("/shop/orders")
            .topics(topic -> "prod." + topic);
    return kafka;
  }

  static RunningReceiver receive(BatchHandler handler) {
    RunningReceiver receiver =
        KafkaReceiver.with(Map.of("bootstrap.servers", "kafka-1:9092", "group.id", "inventory"))
            .topics("prod.orders")
            .start(handler);
    return receiver;
  }

  static RunningReceiver share(ParkingHandler inboxHandler) {
    RunningReceiver receiver =
        KafkaShareReceiver.with(Map.of("bootstrap.servers", "kafka-1:9092", "group.id", "images"))
            .topics("prod.images")
            .start(inboxHandler);
    return receiver;
  }
}
