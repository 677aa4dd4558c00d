// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.inbox.Received;
import io.outledger.kafka.KafkaReceiver;
import io.outledger.spring.MessageIdentity;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;

/** What methods with {@code @Inboxed} need that listen to Kafka by Spring's own containers. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = "io.outledger.kafka.KafkaReceiver")
class KafkaListenersConfiguration {

  @Bean
  static MessageIdentity outledgerKafkaIdentity() {
    return new MessageIdentity() {
      @Override
      public boolean knows(Class<?> parameter) {
        return parameter == ConsumerRecord.class;
      }

      @Override
      public Received of(Object message) {
        return KafkaReceiver.read((ConsumerRecord<?, ?>) message);
      }
    };
  }

  /** The check of Spring Kafka's containers, where it is there. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "org.springframework.kafka.config.KafkaListenerEndpointRegistry")
  static class Containers {

    @Bean
    static InboxedKafkaContainers outledgerInboxedKafkaContainers(
        ConfigurableListableBeanFactory beans,
        ObjectProvider<KafkaListenerEndpointRegistry> containers) {
      return new InboxedKafkaContainers(beans, containers);
    }
  }
}
