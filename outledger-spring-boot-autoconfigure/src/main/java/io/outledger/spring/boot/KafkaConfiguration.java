// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.kafka.KafkaPublisher;
import io.outledger.publish.Publisher;
import io.outledger.spring.boot.OutledgerProperties.KafkaPublisherProperties;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The publisher to Kafka, where outledger-kafka is there and Kafka's servers are configured. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = KafkaConfiguration.PUBLISHER)
@Conditional(OnKafkaServers.class)
class KafkaConfiguration {

  static final String PUBLISHER = "io.outledger.kafka.KafkaPublisher";

  @Bean("kafka")
  @ConditionalOnMissingBean(Publisher.class)
  Publisher outledgerKafkaPublisher(
      Environment environment,
      ObjectProvider<KafkaConnection> connection,
      OutledgerProperties properties) {
    KafkaPublisherProperties kafka = properties.kafka();
    Map<String, Object> settings = KafkaSettings.of(environment);
    connection.ifAvailable(each -> settings.putAll(each.settings()));
    settings.putAll(kafka.properties());
    KafkaPublisher publisher = KafkaPublisher.with(settings).source(kafka.source());
    String prefix = kafka.topicPrefix();
    return prefix.isEmpty() ? publisher : publisher.topics(topic -> prefix + topic);
  }
}
