// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.servers.Await;
import io.outledger.servers.Postgres;
import io.outledger.spring.boot.BrokerConnection;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The database and Kafka are where connection details say, as those that Testcontainers and Docker
 * Compose give through {@code @ServiceConnection}, and not where properties say.
 */
public abstract class ServiceConnectionsContract {

  /** The database of a container. */
  protected static final Login DATABASE =
      new Login(
          Postgres.shared().jdbcUrl(Postgres.shared().createDatabase()),
          Postgres.shared().user(),
          Postgres.shared().password());

  /** The broker of a container. */
  protected static final String BROKER = "127.0.0.1:1";

  private final Class<?> containers;

  /**
   * Creates it.
   *
   * @param containers the configuration with the connection details, whose types have another name
   *     on each line of Boot
   */
  protected ServiceConnectionsContract(Class<?> containers) {
    this.containers = containers;
  }

  /** How a database is reached. */
  protected record Login(String url, String user, String password) {}

  @Test
  void theLedgerAndItsPublisherFollowConnectionDetails() {
    try (RunningShop shop =
        RunningShop.start(
            List.of(containers),
            "spring.datasource.url=jdbc:postgresql://127.0.0.1:1/nowhere",
            "outledger.schema-initialization=always")) {
      assertThat(
              shop.context()
                  .getBean("outledgerKafkaConnection", BrokerConnection.class)
                  .properties())
          .containsEntry("spring.kafka.producer.bootstrap-servers", BROKER)
          .containsEntry("spring.kafka.consumer.bootstrap-servers", BROKER);
      Await.until(
          "the subscription kafka has a relay",
          Duration.ofSeconds(30),
          () ->
              shop.bean(JdbcClient.class)
                  .sql("SELECT subscription FROM outledger_cursor")
                  .query(String.class)
                  .list()
                  .contains("kafka"));
      assertThat(
              shop.bean(JdbcClient.class)
                  .sql("SELECT current_database() FROM outledger_schema")
                  .query(String.class)
                  .single())
          .isEqualTo(DATABASE.url().replaceAll(".*/([^?]*).*", "$1"));
    }
  }
}
