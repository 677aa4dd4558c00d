// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.inbox.Received;
import io.outledger.kafka.KafkaReceiver;
import io.outledger.spring.MessageIdentity;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.rabbit.retry.MessageRecoverer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;

/** What methods with {@code @Inboxed} need that other libraries' containers call. */
@Configuration(proxyBeanMethods = false)
class InboxedListenersConfiguration {

  @Bean
  static InboxedContainers outledgerInboxedContainers(
      ConfigurableListableBeanFactory beans, ObjectProvider<ForeignContainers> containers) {
    return new InboxedContainers(beans, containers);
  }

  /** The identity of a record, where Outledger's module for Kafka is there. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "io.outledger.kafka.KafkaReceiver")
  static class Records {

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
  }

  /** Where Spring Kafka is there. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "org.springframework.kafka.config.KafkaListenerEndpointRegistry")
  static class OfKafka {

    @Bean
    static KafkaListening outledgerKafkaListening(
        ObjectProvider<KafkaListenerEndpointRegistry> containers,
        ConfigurableListableBeanFactory beans) {
      return new KafkaListening(containers, beans);
    }

    @Bean
    static KafkaContainers outledgerKafkaContainers(KafkaListening listening) {
      return new KafkaContainers(listening);
    }

    @Bean
    static KafkaRetryTopics outledgerKafkaRetryTopics(KafkaListening listening) {
      return new KafkaRetryTopics(listening);
    }
  }

  /** Where Spring AMQP is there. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(
      name = "org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry")
  static class OfRabbit {

    @Bean
    static RabbitContainers outledgerRabbitContainers(
        ObjectProvider<RabbitListenerEndpointRegistry> containers,
        ObjectProvider<MessageRecoverer> recoverers) {
      return new RabbitContainers(containers, recoverers);
    }
  }

  /** Where Spring JMS is there. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(
      name = {"org.springframework.jms.config.JmsListenerEndpointRegistry", "jakarta.jms.Message"})
  static class OfJms {

    @Bean
    static JmsContainers outledgerJmsContainers(
        ObjectProvider<JmsListenerEndpointRegistry> containers) {
      return new JmsContainers(containers);
    }
  }
}
