// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.kafka.KafkaPublisher;
import io.outledger.publish.Publisher;
import io.outledger.spring.boot.OutledgerProperties.KafkaPublisherProperties;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
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

  private static final Logger LOG = LoggerFactory.getLogger(KafkaConfiguration.class);
  private static final String NAME = "kafka";

  @Bean(NAME)
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

  /** Says so where Kafka's servers are known and nothing of this configuration publishes there. */
  @Bean
  static SmartInitializingSingleton outledgerKafkaIsLeftOut(ListableBeanFactory beans) {
    return () -> {
      if (!beans.containsBean(NAME)) {
        LOG.info(
            "Kafka's servers are configured, but Outledger makes no publisher to Kafka, because the"
                + " application has Publisher beans of its own: {}. To publish to Kafka as well,"
                + " declare a KafkaPublisher bean named {}. If there was one before, its"
                + " subscription has no relay now, and messages are kept for it.",
            List.of(beans.getBeanNamesForType(Publisher.class)),
            NAME);
      }
    };
  }
}
