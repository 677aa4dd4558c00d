// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.boot3;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.servers.Await;
import io.outledger.servers.KafkaProcess;
import io.outledger.servers.Postgres;
import io.outledger.spring.boot.InboxListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.utils.AppInfoParser;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** A listener receives, pauses and ends with the client that Spring Boot 3.5 brings. */
class OwnClientIT {

  private static final Duration SOON = Duration.ofSeconds(60);

  /** Bills orders. */
  static class Billing {

    private final List<String> billed = new CopyOnWriteArrayList<>();

    /** Bills one. */
    @InboxListener("billing")
    public void bill(OrderPlaced order) {
      billed.add(order.orderId());
    }
  }

  @Test
  void aListenerLeavesKafkaWhenItsContextPausesAndComesBackWithIt() throws Exception {
    assertThat(AppInfoParser.getVersion()).startsWith("3.9.");
    Postgres server = Postgres.shared();
    SpringApplication application = new SpringApplication(ShopApplication.class, Billing.class);
    try (KafkaProcess broker = ShopApplicationIT.broker();
        ConfigurableApplicationContext shop =
            application.run(
                "--spring.datasource.url=" + server.jdbcUrl(server.createDatabase()),
                "--spring.kafka.bootstrap-servers=" + broker.bootstrapServers(),
                "--spring.kafka.consumer.auto-offset-reset=earliest",
                "--outledger.receivers.billing.kafka.topics=orders",
                "--spring.sql.init.mode=always")) {
      Billing billing = shop.getBean(Billing.class);
      shop.getBean(OrderService.class).place("o-1", 1990);
      Await.until("it is billed", SOON, () -> billing.billed.equals(List.of("o-1")));
      assertThat(membersOfGroups()).isNotEmpty();

      shop.stop();
      assertThat(membersOfGroups()).isEmpty();

      shop.start();
      shop.getBean(OrderService.class).place("o-2", 1990);
      Await.until("the next is billed", SOON, () -> billing.billed.equals(List.of("o-1", "o-2")));
    }
    assertThat(membersOfGroups()).isEmpty();
  }

  /** Each keeps its partitions for as long as its thread tells the broker that it lives. */
  private static List<String> membersOfGroups() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("kafka-coordinator-heartbeat-thread"))
        .toList();
  }
}
