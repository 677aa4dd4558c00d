// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot3;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.spring.boot.BrokerConnection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.amqp.RabbitConnectionDetails;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails;
import org.springframework.boot.autoconfigure.pulsar.PulsarConnectionDetails;

/** What containers say becomes what properties would say. */
class ConnectionDetailsTest {

  private final OutledgerConnectionAutoConfiguration made =
      new OutledgerConnectionAutoConfiguration();

  @Test
  void rabbitMq() {
    RabbitConnectionDetails details =
        new RabbitConnectionDetails() {
          @Override
          public List<Address> getAddresses() {
            return List.of(new Address("r-1", 1), new Address("r-2", 2));
          }

          @Override
          public String getUsername() {
            return "ada";
          }

          @Override
          public String getPassword() {
            return "s3cret";
          }
        };

    BrokerConnection connection = made.outledgerRabbitConnection(details);

    assertThat(connection.broker()).isEqualTo("rabbitmq");
    assertThat(connection.properties())
        .isEqualTo(
            Map.of(
                "spring.rabbitmq.addresses",
                "r-1:1,r-2:2",
                "spring.rabbitmq.username",
                "ada",
                "spring.rabbitmq.password",
                "s3cret"));
    assertThat(connection.toString()).doesNotContain("s3cret");
  }

  @Test
  void redis() {
    RedisConnectionDetails details =
        new RedisConnectionDetails() {
          @Override
          public Standalone getStandalone() {
            return Standalone.of("redis-1", 6380, 2);
          }
        };

    assertThat(made.outledgerRedisConnection(details).properties())
        .isEqualTo(
            Map.of(
                "spring.data.redis.host",
                "redis-1",
                "spring.data.redis.port",
                "6380",
                "spring.data.redis.database",
                "2",
                "spring.data.redis.url",
                ""));
  }

  @Test
  void pulsar() {
    PulsarConnectionDetails details =
        new PulsarConnectionDetails() {
          @Override
          public String getBrokerUrl() {
            return "pulsar://p-1:6650";
          }

          @Override
          public String getAdminUrl() {
            return "http://p-1:8080";
          }
        };

    assertThat(made.outledgerPulsarConnection(details).properties())
        .isEqualTo(Map.of("spring.pulsar.client.service-url", "pulsar://p-1:6650"));
  }
}
