// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot3;

import io.outledger.spring.boot.KafkaConnection;
import io.outledger.spring.boot.OutledgerAutoConfiguration;
import java.util.Map;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.kafka.KafkaConnectionDetails;
import org.springframework.context.annotation.Bean;

/**
 * Takes Kafka's servers from a service connection of Testcontainers or Docker Compose. It comes
 * before Boot's own configuration of Kafka, which makes details of properties and guesses a server
 * where there are none.
 */
@AutoConfiguration(
    before = OutledgerAutoConfiguration.class,
    beforeName = "org.springframework.boot.autoconfigure.kafka.KafkaAutoConfiguration")
@ConditionalOnClass(KafkaConnectionDetails.class)
@ConditionalOnBean(KafkaConnectionDetails.class)
public class OutledgerKafkaConnectionAutoConfiguration {

  /** Creates it. */
  public OutledgerKafkaConnectionAutoConfiguration() {}

  @Bean
  KafkaConnection outledgerKafkaConnection(KafkaConnectionDetails details) {
    return () ->
        Map.of("bootstrap.servers", String.join(",", details.getProducer().getBootstrapServers()));
  }
}
