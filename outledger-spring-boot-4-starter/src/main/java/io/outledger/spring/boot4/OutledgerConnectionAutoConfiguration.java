// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot4;

import io.outledger.spring.boot.BrokerConnection;
import io.outledger.spring.boot.OutledgerAutoConfiguration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Sentinel;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.pulsar.autoconfigure.PulsarConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Takes brokers' addresses from a service connection of Testcontainers or Docker Compose. It comes
 * before Boot's own configurations of the brokers, which make details of properties and guess a
 * server where there are none.
 */
@AutoConfiguration(
    before = OutledgerAutoConfiguration.class,
    beforeName = {
      "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration",
      "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration",
      "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
      "org.springframework.boot.pulsar.autoconfigure.PulsarAutoConfiguration"
    })
public class OutledgerConnectionAutoConfiguration {

  /** Creates it. */
  public OutledgerConnectionAutoConfiguration() {}

  /** Where Boot's module for Kafka is there. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(KafkaConnectionDetails.class)
  @ConditionalOnBean(KafkaConnectionDetails.class)
  static class OfKafka {

    @Bean
    BrokerConnection outledgerKafkaConnection(KafkaConnectionDetails details) {
      Map<String, String> properties = new HashMap<>();
      add(properties, "spring.kafka.producer.", details.getProducer());
      add(properties, "spring.kafka.consumer.", details.getConsumer());
      return new BrokerConnection("kafka", properties, details.getSslBundle());
    }

    private static void add(
        Map<String, String> properties, String prefix, KafkaConnectionDetails.Configuration from) {
      properties.put(prefix + "bootstrap-servers", String.join(",", from.getBootstrapServers()));
      put(properties, prefix + "security.protocol", from.getSecurityProtocol());
    }
  }

  /** Where Boot's module for RabbitMQ is there. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(RabbitConnectionDetails.class)
  @ConditionalOnBean(RabbitConnectionDetails.class)
  static class OfRabbit {

    @Bean
    BrokerConnection outledgerRabbitConnection(RabbitConnectionDetails details) {
      Map<String, String> properties = new HashMap<>();
      properties.put(
          "spring.rabbitmq.addresses",
          details.getAddresses().stream()
              .map(each -> each.host() + ":" + each.port())
              .collect(Collectors.joining(",")));
      put(properties, "spring.rabbitmq.username", details.getUsername());
      put(properties, "spring.rabbitmq.password", details.getPassword());
      put(properties, "spring.rabbitmq.virtual-host", details.getVirtualHost());
      return new BrokerConnection("rabbitmq", properties, details.getSslBundle());
    }
  }

  /** Where Boot's module for Redis is there. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(DataRedisConnectionDetails.class)
  @ConditionalOnBean(DataRedisConnectionDetails.class)
  static class OfRedis {

    @Bean
    BrokerConnection outledgerRedisConnection(DataRedisConnectionDetails details) {
      Map<String, String> properties = new HashMap<>();
      Standalone server = details.getStandalone();
      if (server != null) {
        properties.put("spring.data.redis.host", server.getHost());
        properties.put("spring.data.redis.port", String.valueOf(server.getPort()));
        properties.put("spring.data.redis.database", String.valueOf(server.getDatabase()));
        properties.put("spring.data.redis.url", "");
      } else {
        addNodes(properties, details);
      }
      put(properties, "spring.data.redis.username", details.getUsername());
      put(properties, "spring.data.redis.password", details.getPassword());
      return new BrokerConnection("redis", properties, details.getSslBundle());
    }

    /** What sentinels know; a cluster or anything else is refused where the properties are read. */
    private static void addNodes(
        Map<String, String> properties, DataRedisConnectionDetails details) {
      Sentinel sentinel = details.getSentinel();
      properties.put("spring.data.redis.url", "");
      if (sentinel == null) {
        properties.put("spring.data.redis.cluster.nodes", "those of the connection details");
        return;
      }
      properties.put("spring.data.redis.database", String.valueOf(sentinel.getDatabase()));
      properties.put("spring.data.redis.sentinel.master", sentinel.getMaster());
      properties.put(
          "spring.data.redis.sentinel.nodes",
          sentinel.getNodes().stream()
              .map(each -> each.host() + ":" + each.port())
              .collect(Collectors.joining(",")));
      put(properties, "spring.data.redis.sentinel.username", sentinel.getUsername());
      put(properties, "spring.data.redis.sentinel.password", sentinel.getPassword());
    }
  }

  /** Where Boot's module for Pulsar is there. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(PulsarConnectionDetails.class)
  @ConditionalOnBean(PulsarConnectionDetails.class)
  static class OfPulsar {

    @Bean
    BrokerConnection outledgerPulsarConnection(PulsarConnectionDetails details) {
      return new BrokerConnection(
          "pulsar", Map.of("spring.pulsar.client.service-url", details.getBrokerUrl()), null);
    }
  }

  private static void put(Map<String, String> properties, String name, @Nullable String value) {
    if (value != null) {
      properties.put(name, value);
    }
  }
}
