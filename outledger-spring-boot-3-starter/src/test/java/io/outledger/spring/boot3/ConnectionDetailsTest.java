// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot3;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.spring.boot.BrokerConnection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.amqp.RabbitConnectionDetails;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails;
import org.springframework.boot.autoconfigure.pulsar.PulsarConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

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

  private static RedisConnectionDetails.Sentinel sentinel(SslBundle bundle) {
    return new RedisConnectionDetails.Sentinel() {
      @Override
      public int getDatabase() {
        return 2;
      }

      @Override
      public String getMaster() {
        return "shop";
      }

      @Override
      public List<RedisConnectionDetails.Node> getNodes() {
        return List.of(
            new RedisConnectionDetails.Node("s-1", 1), new RedisConnectionDetails.Node("s-2", 2));
      }

      @Override
      public @Nullable String getUsername() {
        return null;
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
  }

  @Test
  void redisBehindSentinels() {
    SslBundle bundle = SslBundle.systemDefault();
    RedisConnectionDetails.Sentinel sentinel = sentinel(bundle);
    RedisConnectionDetails details =
        new RedisConnectionDetails() {
          @Override
          public Sentinel getSentinel() {
            return sentinel;
          }
        };

    BrokerConnection connection = made.outledgerRedisConnection(details);

    assertThat(connection.sslBundle()).isSameAs(bundle);
    assertThat(connection.properties())
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
    RedisConnectionDetails details = new RedisConnectionDetails() {};

    assertThat(made.outledgerRedisConnection(details).properties())
        .containsKey("spring.data.redis.cluster.nodes");
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
