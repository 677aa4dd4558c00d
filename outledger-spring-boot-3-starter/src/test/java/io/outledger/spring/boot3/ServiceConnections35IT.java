// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot3;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.Publisher;
import io.outledger.servers.Postgres;
import io.outledger.spring.boot.KafkaConnection;
import io.outledger.spring.contract.RunningShop;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.jdbc.JdbcConnectionDetails;
import org.springframework.boot.autoconfigure.kafka.KafkaConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The database and Kafka are where connection details say, as those that Testcontainers and Docker
 * Compose give through {@code @ServiceConnection}, and not where properties say.
 */
class ServiceConnections35IT {

  private static final String DATABASE = Postgres.shared().createDatabase();

  /** What a container would bring. */
  @Configuration(proxyBeanMethods = false)
  static class Containers {

    @Bean
    JdbcConnectionDetails database() {
      return new JdbcConnectionDetails() {
        @Override
        public String getUsername() {
          return Postgres.shared().user();
        }

        @Override
        public String getPassword() {
          return Postgres.shared().password();
        }

        @Override
        public String getJdbcUrl() {
          return Postgres.shared().jdbcUrl(DATABASE);
        }
      };
    }

    @Bean
    KafkaConnectionDetails broker() {
      return () -> List.of("127.0.0.1:1");
    }
  }

  @Test
  void theLedgerAndItsPublisherFollowConnectionDetails() {
    try (RunningShop shop =
        RunningShop.start(
            List.of(Containers.class),
            "spring.datasource.url=jdbc:postgresql://127.0.0.1:1/nowhere",
            "outledger.relay.enabled=false",
            "outledger.schema-initialization=always")) {
      assertThat(shop.bean(KafkaConnection.class).settings())
          .containsEntry("bootstrap.servers", "127.0.0.1:1");
      assertThat(shop.context().getBeansOfType(Publisher.class)).containsOnlyKeys("kafka");
      assertThat(
              shop.bean(JdbcClient.class)
                  .sql("SELECT current_database() FROM outledger_schema")
                  .query(String.class)
                  .single())
          .isEqualTo(DATABASE);
    }
  }
}
