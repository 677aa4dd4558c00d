// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot40;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.impl.ClientVersion;
import io.outledger.servers.Await;
import io.outledger.servers.KafkaProcess;
import io.outledger.servers.Postgres;
import io.outledger.servers.RabbitMq;
import io.outledger.spring.boot.InboxListener;
import io.outledger.spring.contract.RunningShop;
import io.outledger.spring.contract.shop.OrderPlaced;
import io.outledger.spring.contract.shop.OrderService;
import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.utils.AppInfoParser;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A listener receives, pauses and ends with the clients that Spring Boot 4.0 brings. */
class OwnClients40IT {

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

  /** The consumer. */
  @Configuration(proxyBeanMethods = false)
  static class Receiving {

    @Bean
    Billing billing() {
      return new Billing();
    }
  }

  @Test
  void kafka() throws Exception {
    assertThat(AppInfoParser.getVersion()).startsWith("4.1.");
    String jars = Files.readString(Path.of(System.getProperty("outledger.servers.class-path")));
    String servers =
        Path.of(
                URI.create(
                    Postgres.class.getProtectionDomain().getCodeSource().getLocation().toString()))
            .toString();
    try (KafkaProcess broker =
        KafkaProcess.builder()
            .classPath(servers + File.pathSeparator + jars.strip())
            .startProcess()) {
      broker.createTopic("orders", 1, Map.of());
      receivesPausesAndEnds(
          "spring.kafka.bootstrap-servers=" + broker.bootstrapServers(),
          "spring.kafka.consumer.auto-offset-reset=earliest",
          "outledger.publishers.orders.kafka.enabled=true",
          "outledger.receivers.billing.kafka.topics=orders");
    }
    assertThat(threads("kafka-coordinator-heartbeat-thread")).isEmpty();
  }

  @Test
  void rabbitmq() throws Exception {
    assertThat(ClientVersion.VERSION).startsWith("5.27.");
    try (RabbitMq server = RabbitMq.start()) {
      ConnectionFactory factory = new ConnectionFactory();
      factory.setPort(server.port());
      try (Connection connection = factory.newConnection()) {
        connection.createChannel().queueDeclare("orders", true, false, false, Map.of());
      }
      receivesPausesAndEnds(
          "spring.rabbitmq.port=" + server.port(),
          "outledger.publishers.orders.rabbitmq.enabled=true",
          "outledger.receivers.billing.rabbitmq.queue=orders");
    }
  }

  private static void receivesPausesAndEnds(String... properties) {
    String[] all = new String[properties.length + 1];
    System.arraycopy(properties, 0, all, 1, properties.length);
    all[0] = "outledger.schema-initialization=always";
    try (RunningShop shop = RunningShop.start(List.of(Receiving.class), all)) {
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
