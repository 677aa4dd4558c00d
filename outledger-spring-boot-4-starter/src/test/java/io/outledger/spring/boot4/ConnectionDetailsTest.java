// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot4;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.spring.boot.BrokerConnection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.pulsar.autoconfigure.PulsarConnectionDetails;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** What containers say becomes what properties would say. */
class ConnectionDetailsTest {

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
        };

    BrokerConnection connection = connection(RabbitConnectionDetails.class, details);

    assertThat(connection.broker()).isEqualTo("rabbitmq");
    assertThat(connection.properties())
        .isEqualTo(
            Map.of("spring.rabbitmq.addresses", "r-1:1,r-2:2", "spring.rabbitmq.username", "ada"));
  }

  @Test
  void redis() {
    SslBundle bundle = SslBundle.systemDefault();
    DataRedisConnectionDetails details =
        new DataRedisConnectionDetails() {
          @Override
          public Standalone getStandalone() {
            return Standalone.of("redis-1", 6380, 2);
          }

          @Override
          public String getPassword() {
            return "s3cret";
          }

          @Override
          public SslBundle getSslBundle() {
            return bundle;
          }
        };

    BrokerConnection connection = connection(DataRedisConnectionDetails.class, details);

    assertThat(connection.broker()).isEqualTo("redis");
    assertThat(connection.sslBundle()).isSameAs(bundle);
    assertThat(connection.properties())
        .isEqualTo(
            Map.of(
                "spring.data.redis.host",
                "redis-1",
                "spring.data.redis.port",
                "6380",
                "spring.data.redis.database",
                "2",
                "spring.data.redis.url",
                "",
                "spring.data.redis.password",
                "s3cret"));
    assertThat(connection.toString()).doesNotContain("s3cret");
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

    BrokerConnection connection = connection(PulsarConnectionDetails.class, details);

    assertThat(connection.broker()).isEqualTo("pulsar");
    assertThat(connection.properties())
        .isEqualTo(Map.of("spring.pulsar.client.service-url", "pulsar://p-1:6650"));
  }

  @Test
  void redisBehindSentinels() {
    DataRedisConnectionDetails.Sentinel sentinel =
        new DataRedisConnectionDetails.Sentinel() {
          @Override
          public int getDatabase() {
            return 2;
          }

          @Override
          public String getMaster() {
            return "shop";
          }

          @Override
          public List<DataRedisConnectionDetails.Node> getNodes() {
            return List.of(
                new DataRedisConnectionDetails.Node("s-1", 1),
                new DataRedisConnectionDetails.Node("s-2", 2));
          }

          @Override
          public @Nullable String getUsername() {
            return null;
          }

          @Override
          public String getPassword() {
            return "s3cret";
          }
        };
    DataRedisConnectionDetails details =
        new DataRedisConnectionDetails() {
          @Override
          public Sentinel getSentinel() {
            return sentinel;
          }
        };

    assertThat(connection(DataRedisConnectionDetails.class, details).properties())
        .isEqualTo(
            Map.of(
                "spring.data.redis.url",
                "",
                "spring.data.redis.database",
                "2",
                "spring.data.redis.sentinel.master",
                "shop",
                "spring.data.redis.sentinel.nodes",
                "s-1:1,s-2:2",
                "spring.data.redis.sentinel.password",
                "s3cret"));
  }

  /** It must not become one at localhost. */
  @Test
  void aClusterOfRedisIsToldAsOneWhichIsRefused() {
    DataRedisConnectionDetails details = new DataRedisConnectionDetails() {};

    assertThat(connection(DataRedisConnectionDetails.class, details).properties())
        .containsKey("spring.data.redis.cluster.nodes");
  }

  /** As the application has it: only what has details becomes a connection. */
  private static <T> BrokerConnection connection(Class<T> type, T details) {
    try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
      context.registerBean(type, () -> details);
      context.register(OutledgerConnectionAutoConfiguration.class);
      context.refresh();
      return context.getBean(BrokerConnection.class);
    }
  }
}
