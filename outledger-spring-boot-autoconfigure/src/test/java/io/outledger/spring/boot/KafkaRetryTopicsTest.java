// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.spring.Inboxed;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.EnableKafkaRetryTopic;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.retrytopic.RetryTopicConfiguration;
import org.springframework.kafka.retrytopic.RetryTopicConfigurationBuilder;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** Records that come again from another topic, whatever asks for that. No broker is called. */
class KafkaRetryTopicsTest {

  /** What Boot would make. */
  @Configuration(proxyBeanMethods = false)
  @EnableKafkaRetryTopic
  static class Kafka {

    @Bean
    ConcurrentKafkaListenerContainerFactory<String, byte[]> kafkaListenerContainerFactory() {
      ConcurrentKafkaListenerContainerFactory<String, byte[]> factory =
          new ConcurrentKafkaListenerContainerFactory<>();
      factory.setConsumerFactory(new DefaultKafkaConsumerFactory<>(Map.of()));
      factory.setAutoStartup(false);
      return factory;
    }

    @Bean
    KafkaTemplate<String, byte[]> kafkaTemplate() {
      return new KafkaTemplate<>(new DefaultKafkaProducerFactory<>(Map.of()));
    }

    @Bean
    ThreadPoolTaskScheduler taskScheduler() {
      return new ThreadPoolTaskScheduler();
    }

    @Bean
    static InboxedContainers containers(
        ConfigurableListableBeanFactory beans, ObjectProvider<ForeignContainers> containers) {
      return new InboxedContainers(beans, containers);
    }

    @Bean
    static KafkaRetryTopics retryTopics(
        ObjectProvider<KafkaListenerEndpointRegistry> registry,
        ConfigurableListableBeanFactory beans) {
      return new KafkaRetryTopics(new KafkaListening(registry, beans));
    }
  }

  /** Takes a record, from whoever hands it on. */
  static class Billing {

    /** Is remembered by the record's topic. */
    @Inboxed(consumer = "billing")
    public void bill(ConsumerRecord<String, byte[]> order) {}
  }

  /** Takes a record, whatever topic brings it. */
  static class BillingByName {

    /** Is remembered by a name of its own. */
    @Inboxed(consumer = "billing", source = "orders", id = "#p0.key()")
    public void bill(ConsumerRecord<String, byte[]> order) {}
  }

  /** Hands its records on. */
  static class Retried {

    /** To a bean. */
    @RetryableTopic(autoCreateTopics = "false")
    @KafkaListener(id = "shop", topics = "orders", groupId = "shop")
    public void listen(ConsumerRecord<String, byte[]> order) {}
  }

  /** Is a listener itself, of another topic than that which is retried. */
  static class Audit {

    /** Is remembered by the record's topic. */
    @Inboxed(consumer = "audit")
    @KafkaListener(topics = "audit", groupId = "audit")
    public void audit(ConsumerRecord<String, byte[]> entry) {}
  }

  /** Has records of orders come again, without an annotation. */
  @Configuration(proxyBeanMethods = false)
  static class RetriedOrders {

    @Bean
    RetryTopicConfiguration retryOrders(KafkaTemplate<String, byte[]> template) {
      return RetryTopicConfigurationBuilder.newInstance()
          .doNotAutoCreateRetryTopics()
          .includeTopic("orders")
          .create(template);
    }
  }

  /** Hands its records on. */
  static class Plain {

    /** To nobody. */
    @KafkaListener(id = "shop", topics = "orders", groupId = "shop")
    public void listen(ConsumerRecord<String, byte[]> order) {}
  }

  private static void start(Class<?>... components) {
    try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
      context.register(Kafka.class);
      context.register(components);
      context.refresh();
      assertThat(context.isRunning()).isTrue();
    }
  }

  @Test
  void aListenerThatIsRetriedByTopicsMayHandItsRecordToAnyMethod() {
    assertThatThrownBy(() -> start(Retried.class, Billing.class))
        .hasRootCauseInstanceOf(ConfigurationException.class)
        .rootCause()
        .hasMessageContainingAll("container shop", "retried by other topics", "Billing.bill");
  }

  @Test
  void aBeanThatRetriesByTopicsIsTheSame() {
    assertThatThrownBy(() -> start(Plain.class, RetriedOrders.class, Billing.class))
        .rootCause()
        .hasMessageContainingAll("container shop", "retried by other topics");
  }

  /** Hands on the records of many topics. */
  static class ByPattern {

    /** To nobody. */
    @KafkaListener(id = "all", topicPattern = "refunds-.*", groupId = "all")
    public void listen(ConsumerRecord<String, byte[]> order) {}
  }

  /** A container of a pattern knows no topics, and Spring Kafka retries none by topics. */
  @Test
  void oneThatReceivesByAPatternIsRetriedByNoTopics() {
    assertThatCode(() -> start(ByPattern.class, Billing.class)).doesNotThrowAnyException();
  }

  @Test
  void aMethodWithASourceIsTheSameInEachTopic() {
    assertThatCode(() -> start(Retried.class, BillingByName.class)).doesNotThrowAnyException();
  }

  @Test
  void whatIsRetriedForOthersConcernsNoListenerOfItsOwn() {
    assertThatCode(() -> start(Plain.class, RetriedOrders.class, Audit.class))
        .doesNotThrowAnyException();
  }
}
