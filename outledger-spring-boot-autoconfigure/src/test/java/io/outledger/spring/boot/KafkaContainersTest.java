// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.Problems;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.CommonLoggingErrorHandler;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.ExceptionClassifier;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;
import org.springframework.util.backoff.FixedBackOff;

/** What a container of Spring Kafka does with a record that fails, whatever the exception. */
class KafkaContainersTest {

  private static ForeignContainers.Called method(String name, Class<?> parameter) {
    try {
      return new ForeignContainers.Called(
          Receiving.class.getDeclaredMethod(name, parameter), "Billing.bill");
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void check(@Nullable CommonErrorHandler handler) {
    check("orders", handler, method("takes", ConsumerRecord.class));
  }

  private static void check(
      String topic, @Nullable CommonErrorHandler handler, ForeignContainers.Called called) {
    try (GenericApplicationContext context = new GenericApplicationContext()) {
      KafkaMessageListenerContainer<String, String> container =
          new KafkaMessageListenerContainer<>(
              new DefaultKafkaConsumerFactory<>(Map.of()), new ContainerProperties(topic));
      container.setAutoStartup(false);
      if (handler != null) {
        container.setCommonErrorHandler(handler);
      }
      context.registerBean("orders", KafkaMessageListenerContainer.class, () -> container);
      context.registerBean(KafkaListenerEndpointRegistry.class);
      context.refresh();
      Problems problems = Problems.of("messages would be lost");
      new KafkaContainers(
              new KafkaListening(
                  context.getBeanProvider(KafkaListenerEndpointRegistry.class),
                  context.getBeanFactory()))
          .check(List.of(called), problems);
      problems.refuse();
    }
  }

  private static DefaultErrorHandler untilProcessed() {
    return new DefaultErrorHandler(new FixedBackOff(1000, FixedBackOff.UNLIMITED_ATTEMPTS));
  }

  @Test
  void withoutAnErrorHandlerItGivesUp() {
    assertThatThrownBy(() -> check(null))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll("has no error handler", "Billing.bill", "setClassifications");
  }

  @Test
  void theContainerOfAnotherListenerIsNotAsked() {
    ForeignContainers.Called listens = method("listens", String.class);
    check("audit", null, listens);
    assertThatThrownBy(() -> check("orders", null, listens))
        .isInstanceOf(ConfigurationException.class);
  }

  /** However long its back-off is: these are not tried again at all. */
  @Test
  void withFatalExceptionsItPassesARecordOnAtOnce() {
    assertThatThrownBy(() -> check(untilProcessed()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll(
            "does not retry Spring Kafka's fatal exceptions", "setClassifications(Map.of(), true)");
  }

  @Test
  void aHandlerThatOnlyLogsPassesEverythingOn() {
    assertThatThrownBy(() -> check(new CommonLoggingErrorHandler()))
        .hasMessageContaining("CommonLoggingErrorHandler");
  }

  @Test
  void whatRetriesEverythingStarts() {
    DefaultErrorHandler handler = untilProcessed();
    handler.setClassifications(Map.of(), true);
    check(handler);
  }

  @Test
  void whatNamesItsFatalExceptionsItselfStartsAndKeepsThem() {
    DefaultErrorHandler handler = untilProcessed();
    handler.setClassifications(Map.of(ClassCastException.class, false), true);
    handler.addRetryableExceptions(NoSuchMethodException.class);
    check(handler);
    assertThat(handler.removeClassification(ClassCastException.class)).isFalse();
    assertThat(handler.removeClassification(NoSuchMethodException.class)).isTrue();
  }

  @Test
  void aRefusedHandlerIsLeftAsItWas() {
    DefaultErrorHandler handler = untilProcessed();
    assertThatThrownBy(() -> check(handler)).isInstanceOf(ConfigurationException.class);
    for (Class<? extends Throwable> each : ExceptionClassifier.defaultFatalExceptionsList()) {
      assertThat(handler.removeClassification(each.asSubclass(Exception.class))).isFalse();
    }
  }

  /** Receives. */
  static class Receiving {

    /** By a container. */
    @KafkaListener(topics = "orders")
    void listens(String order) {}

    /** By whoever calls. */
    void takes(ConsumerRecord<String, byte[]> order) {}

    /** By nobody of Kafka. */
    void other(String order) {}
  }

  @Test
  void aContainerMayCallItsListenersAndWhatTakesARecord() throws NoSuchMethodException {
    DefaultListableBeanFactory beans = BrokersOf.properties().beans();
    KafkaContainers containers =
        new KafkaContainers(
            new KafkaListening(beans.getBeanProvider(KafkaListenerEndpointRegistry.class), beans));
    assertThat(containers.mayCall(Receiving.class.getDeclaredMethod("listens", String.class)))
        .isTrue();
    assertThat(containers.mayCall(Receiving.class.getDeclaredMethod("takes", ConsumerRecord.class)))
        .isTrue();
    assertThat(containers.mayCall(Receiving.class.getDeclaredMethod("other", String.class)))
        .isFalse();
  }

  @Test
  void itLooksBeforeTheContainersStart() {
    assertThat(InboxedContainers.PHASE).isLessThan(AbstractMessageListenerContainer.DEFAULT_PHASE);
  }
}
