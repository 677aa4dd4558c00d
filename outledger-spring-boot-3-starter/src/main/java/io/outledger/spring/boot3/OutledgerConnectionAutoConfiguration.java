// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot3;

import io.outledger.spring.boot.BrokerConnection;
import io.outledger.spring.boot.OutledgerAutoConfiguration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.amqp.RabbitConnectionDetails;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails.Sentinel;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails.Standalone;
import org.springframework.boot.autoconfigure.kafka.KafkaConnectionDetails;
import org.springframework.boot.autoconfigure.pulsar.PulsarConnectionDetails;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.context.annotation.Bean;

/**
 * Takes brokers' addresses from a service connection of Testcontainers or Docker Compose. It comes
 * before Boot's own configurations of the brokers, which make details of properties and guess a
 * server where there are none.
 */
@AutoConfiguration(
    before = OutledgerAutoConfiguration.class,
    beforeName = {
      "org.springframework.boot.autoconfigure.kafka.KafkaAutoConfiguration",
      "org.springframework.boot.autoconfigure.amqp.RabbitAutoConfiguration",
      "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
      "org.springframework.boot.autoconfigure.pulsar.PulsarAutoConfiguration"
    })
public class OutledgerConnectionAutoConfiguration {

  /** Creates it. */
  public OutledgerConnectionAutoConfiguration() {}

  @Bean
  @ConditionalOnBean(KafkaConnectionDetails.class)
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

  @Bean
  @ConditionalOnBean(RabbitConnectionDetails.class)
  BrokerConnection outledgerRabbitConnection(RabbitConnectionDetails details) {
    Map<String, String> properties = new HashMap<>();
    List<RabbitConnectionDetails.Address> addresses = details.getAddresses();
    properties.put(
        "spring.rabbitmq.addresses",
        addresses.stream()
            .map(each -> each.host() + ":" + each.port())
            .collect(Collectors.joining(",")));
    put(properties, "spring.rabbitmq.username", details.getUsername());
    put(properties, "spring.rabbitmq.password", details.getPassword());
    put(properties, "spring.rabbitmq.virtual-host", details.getVirtualHost());
    return new BrokerConnection("rabbitmq", properties, details.getSslBundle());
  }

  @Bean
  @ConditionalOnBean(RedisConnectionDetails.class)
  BrokerConnection outledgerRedisConnection(RedisConnectionDetails details) {
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
    return new BrokerConnection("redis", properties, bundle(details));
  }

  private static @Nullable SslBundle bundle(RedisConnectionDetails details) {
    Standalone server = details.getStandalone();
    Sentinel sentinel = details.getSentinel();
    return server != null
        ? server.getSslBundle()
        : sentinel == null ? null : sentinel.getSslBundle();
  }

  /** What sentinels know; a cluster or anything else is refused where the properties are read. */
  private static void addNodes(Map<String, String> properties, RedisConnectionDetails details) {
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

  @Bean
  @ConditionalOnBean(PulsarConnectionDetails.class)
  BrokerConnection outledgerPulsarConnection(PulsarConnectionDetails details) {
    return new BrokerConnection(
        "pulsar", Map.of("spring.pulsar.client.service-url", details.getBrokerUrl()), null);
  }

  private static void put(Map<String, String> properties, String name, @Nullable String value) {
    if (value != null) {
      properties.put(name, value);
    }
  }
}
