// SPDX-License-Identifier: Apache-2.0
package io.outledger.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.BatchHandler;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The programs of docs/amqp.md. */
final class AmqpGuideTest {

  private static void publish(String password) {
    AmqpBroker broker =
        AmqpBroker.at("artemis-1", 5671)
            .client(
                client -> {
                  client.sslOptions().sslEnabled(true);
                  return client.user("shop").password(password);
                });

    Publisher publisher =
        AmqpPublisher.to(broker).source("/shop/orders").capability("queue").groupByKey(256);
    assertThat(publisher).hasToString("AmqpPublisher[artemis-1:5671]");
  }

  private static void publishToServiceBus(String key) {
    AmqpBroker broker =
        AmqpBroker.at("shop.servicebus.windows.net", 5671)
            .client(
                client -> {
                  client.sslOptions().sslEnabled(true);
                  return client.user("RootManageSharedAccessKey").password(key);
                });

    Publisher publisher =
        AmqpPublisher.to(broker)
            .groupByKey()
            .partitionByKey()
            .schedule(
                message -> {
                  String due = message.headers().get("due");
                  return due == null ? null : Instant.parse(due);
                });
    assertThat(publisher).hasToString("AmqpPublisher[shop.servicebus.windows.net:5671]");
  }

  private static void receive(AmqpBroker broker, BatchHandler handler) {
    RunningReceiver receiver =
        AmqpReceiver.from(broker, "orders").capability("queue").start(handler);
    assertThat(receiver.isRunning()).isTrue();
    receiver.close();
  }

  @Test
  void programsOfThePageBeginWithoutABroker() {
    publish("secret");
    publishToServiceBus("secret");
    receive(AmqpBroker.at("127.0.0.1", 1), batch -> {});
  }
}
