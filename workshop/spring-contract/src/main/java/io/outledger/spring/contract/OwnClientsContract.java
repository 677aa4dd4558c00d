// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.servers.Await;
import io.outledger.servers.KafkaProcess;
import io.outledger.spring.boot.InboxListener;
import io.outledger.spring.contract.shop.OrderPlaced;
import io.outledger.spring.contract.shop.OrderService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.utils.AppInfoParser;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A listener receives, pauses and ends with the clients that the version of Spring Boot brings,
 * which are not those that Outledger was compiled with.
 */
public abstract class OwnClientsContract {

  private static final Duration SOON = Duration.ofSeconds(60);

  private final String kafkaClient;

  /**
   * Creates it.
   *
   * @param kafkaClient what the version of Boot's own client of Kafka begins with
   */
  protected OwnClientsContract(String kafkaClient) {
    this.kafkaClient = kafkaClient;
  }

  /** Bills orders. */
  static class Billing {

    private final List<String> billed = new CopyOnWriteArrayList<>();

    /** Bills one. */
    @InboxListener("billing")
    public void bill(OrderPlaced order) {
      billed.add(order.orderId());
    }
  }

  /** The consumer. */
  @Configuration(proxyBeanMethods = false)
  static class Receiving {

    @Bean
    Billing billing() {
      return new Billing();
    }
  }

  @Test
  void kafka() {
    assertThat(AppInfoParser.getVersion()).startsWith(kafkaClient);
    try (KafkaProcess broker = KafkaProcess.startApart()) {
      broker.createTopic("orders", 1, Map.of());
      receivesPausesAndEnds(
          "spring.kafka.bootstrap-servers=" + broker.bootstrapServers(),
          "spring.kafka.consumer.auto-offset-reset=earliest",
          "outledger.publishers.orders.kafka.enabled=true",
          "outledger.receivers.billing.kafka.topics=orders");
    }
    assertThat(threads("kafka-coordinator-heartbeat-thread")).isEmpty();
  }

  /** Receives an order, pauses, and receives the next one, over whatever the properties say. */
  protected static void receivesPausesAndEnds(String... properties) {
    List<String> all = new ArrayList<>(List.of(properties));
    all.add("outledger.schema-initialization=always");
    try (RunningShop shop =
        RunningShop.start(List.of(Receiving.class), all.toArray(String[]::new))) {
      Billing billing = shop.bean(Billing.class);
      shop.bean(OrderService.class).place("o-1", 1);
      Await.until("it is billed", SOON, () -> billing.billed.equals(List.of("o-1")));
      shop.context().stop();
      assertThat(threads("outledger-receiver ")).isEmpty();
      assertThat(threads("kafka-coordinator-heartbeat-thread")).isEmpty();
      shop.context().start();
      shop.bean(OrderService.class).place("o-2", 1);
      Await.until("the next is billed", SOON, () -> billing.billed.equals(List.of("o-1", "o-2")));
    }
    assertThat(threads("outledger-receiver ")).isEmpty();
  }

  private static List<String> threads(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(each -> each.startsWith(name))
        .toList();
  }
}
