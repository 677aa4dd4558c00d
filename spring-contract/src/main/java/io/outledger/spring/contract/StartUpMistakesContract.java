// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.servers.Postgres;
import io.outledger.spring.boot.OutboxEvent;
import io.outledger.spring.boot.OutboxHandler;
import io.outledger.spring.contract.shop.OrderPlaced;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** A mistake stops the start, and what is printed says what to do. */
public abstract class StartUpMistakesContract {

  private static final String ALWAYS = "outledger.schema-initialization=always";

  /** Creates it. */
  protected StartUpMistakesContract() {}

  /** A handler of an event that nobody has registered. */
  @Configuration(proxyBeanMethods = false)
  static class UnregisteredType {

    record Unregistered(String id) {}

    @OutboxHandler("mail")
    void on(Unregistered event) {}
  }

  /** Handlers that cannot be called. */
  @Configuration(proxyBeanMethods = false)
  static class WrongSignatures {

    @OutboxHandler("one")
    void twoEvents(OrderPlaced order, String other) {}

    @OutboxHandler("two")
    void nothing() {}
  }

  /** An event whose key is not there, and one that says nothing of a key. */
  @Configuration(proxyBeanMethods = false)
  static class WrongEvents {

    @OutboxEvent(name = "misspelt", topic = "orders", key = "orderID")
    record Misspelt(String orderId) {}

    @OutboxEvent(name = "silent", topic = "orders")
    record Silent(String orderId) {}
  }

  /** Two data sources, none primary. */
  @Configuration(proxyBeanMethods = false)
  static class TwoDataSources {

    @Bean
    DataSource orders() {
      return new DriverManagerDataSource(Postgres.shared().jdbcUrl("postgres"));
    }

    @Bean
    DataSource billing() {
      return new DriverManagerDataSource(Postgres.shared().jdbcUrl("postgres"));
    }

    @Bean
    JdbcClient jdbcClient() {
      return JdbcClient.create(orders());
    }
  }

  @Test
  void withoutTables() {
    assertThat(printed(List.of(RecordingConfiguration.class)))
        .contains("OUT-003", "outledger.schema-initialization=always");
  }

  @Test
  void withTwoDataSources() {
    assertThat(printed(List.of(RecordingConfiguration.class, TwoDataSources.class)))
        .contains("several data sources", "orders", "billing", "outledger.data-source");
  }

  @Test
  void withAHandlerOfAnUnregisteredType() {
    assertThat(printed(List.of(UnregisteredType.class), ALWAYS))
        .contains("UnregisteredType.on", "not registered", "@OutboxEvent");
  }

  @Test
  void withHandlersThatCannotBeCalled() {
    assertThat(printed(List.of(WrongSignatures.class), ALWAYS))
        .contains("twoEvents takes [OrderPlaced, String]", "nothing takes []", "void on(");
  }

  @Test
  void withEventsThatCannotBeUsed() {
    assertThat(
            printed(
                List.of(RecordingConfiguration.class, WrongEvents.class),
                ALWAYS,
                "outledger.events.packages=io.outledger.spring.contract"))
        .contains("no property orderID", "Silent needs either key");
  }

  @Test
  void withAMisspeltProperty() {
    assertThat(printed(List.of(RecordingConfiguration.class), "outledger.relay.enable=false"))
        .contains("outledger.relay.enable ", "did you mean outledger.relay.enabled?");
  }

  @Test
  void withValuesThatCannotBeUsedAllAreNamed() {
    assertThat(
            printed(
                List.of(RecordingConfiguration.class),
                "outledger.relay.attempts-max=0",
                "outledger.relay.lease=1ms",
                "outledger.handlers.concurrency=0"))
        .contains(
            "outledger.relay.attempts-max is 0",
            "outledger.relay.lease is PT0.001S",
            "outledger.handlers.concurrency is 0");
  }

  @Test
  void withNowhereToPublishTo() {
    assertThat(printed(List.of(), ALWAYS))
        .contains("nowhere to publish to", "spring.kafka.bootstrap-servers", "Publisher");
  }

  private static String printed(List<Class<?>> configuration, String... properties) {
    PrintStream out = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, UTF_8));
    try {
      assertThatThrownBy(() -> RunningShop.start(configuration, properties).close())
          .isInstanceOf(Exception.class);
    } finally {
      System.setOut(out);
    }
    assertThat(printed.toString(UTF_8)).contains("APPLICATION FAILED TO START");
    return printed.toString(UTF_8).replaceAll("\\s+", " ");
  }
}
