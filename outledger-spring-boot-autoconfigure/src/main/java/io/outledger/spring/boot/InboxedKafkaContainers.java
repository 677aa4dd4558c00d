// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.Problems;
import io.outledger.spring.Inboxed;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.kafka.annotation.KafkaHandler;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.KafkaListeners;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.retrytopic.RetryTopicConfiguration;

/**
 * Refuses the start of an application that would lose messages: without an error handler of its
 * own, a container of Spring Kafka passes a record on after ten attempts within a few seconds, and
 * an outage of the database takes longer. Or that would process some twice: what is retried by
 * other topics has another identity there. It looks just before the containers start. How often a
 * handler of the application tries is not known to anybody but itself.
 *
 * @see <a
 *     href="https://docs.spring.io/spring-kafka/reference/kafka/annotation-error-handling.html">
 *     Spring Kafka's default</a>
 */
final class InboxedKafkaContainers implements SmartLifecycle {

  private static final List<Class<? extends Annotation>> LISTENERS =
      List.of(KafkaListener.class, KafkaListeners.class, KafkaHandler.class);

  private final ConfigurableListableBeanFactory beans;
  private final ObjectProvider<KafkaListenerEndpointRegistry> containers;
  private boolean isRunning;

  InboxedKafkaContainers(
      ConfigurableListableBeanFactory beans,
      ObjectProvider<KafkaListenerEndpointRegistry> containers) {
    this.beans = beans;
    this.containers = containers;
  }

  @Override
  public void start() {
    isRunning = true;
    List<AnnotatedMethods.Found<Inboxed>> methods =
        AnnotatedMethods.find(beans, Inboxed.class).stream()
            .filter(InboxedKafkaContainers::isOfKafka)
            .toList();
    KafkaListenerEndpointRegistry registry = containers.getIfAvailable();
    if (methods.isEmpty() || registry == null) {
      return;
    }
    List<AbstractMessageListenerContainer<?, ?>> listening = new ArrayList<>();
    for (MessageListenerContainer each : registry.getListenerContainers()) {
      if (each instanceof AbstractMessageListenerContainer<?, ?> container) {
        listening.add(container);
      }
    }
    Problems lost =
        Problems.of("Spring Kafka would pass messages on that were not processed, and lose them");
    listening.stream()
        .filter(container -> container.getCommonErrorHandler() == null)
        .forEach(container -> lost.add(problem(names(methods), container)));
    lost.refuse();
    refuseRetryTopics(
        methods.stream().filter(method -> method.said().source().isBlank()).toList(), listening);
  }

  /** As a property of Boot asks for them; of the annotation, each method tells itself. */
  private void refuseRetryTopics(
      List<AnnotatedMethods.Found<Inboxed>> byTopic,
      List<AbstractMessageListenerContainer<?, ?>> listening) {
    Problems twice = Problems.of("methods with @Inboxed would take effect twice");
    for (AbstractMessageListenerContainer<?, ?> each : listening) {
      String[] topics = each.getContainerProperties().getTopics();
      if (!byTopic.isEmpty() && topics != null && areRetried(topics)) {
        twice.add(
            "what the container "
                + each.getListenerId()
                + " cannot process is retried by other topics, and "
                + names(byTopic)
                + " name no source, so a message is remembered by its topic. Name the source in"
                + " @Inboxed, such as the first topic, and write an expression for the id, such as"
                + " #p0.headers().lastHeader('ce_id').value()");
      }
    }
    twice.refuse();
  }

  private boolean areRetried(String[] topics) {
    return beans.getBeanProvider(RetryTopicConfiguration.class).stream()
        .anyMatch(configured -> configured.hasConfigurationForTopics(topics));
  }

  private static List<String> names(List<AnnotatedMethods.Found<Inboxed>> methods) {
    return methods.stream()
        .map(method -> method.type().getName() + "." + method.method().getName())
        .toList();
  }

  /** A listener may also hand its record to a bean with the annotation: which one is not known. */
  private static boolean isOfKafka(AnnotatedMethods.Found<Inboxed> found) {
    return Arrays.asList(found.method().getParameterTypes()).contains(ConsumerRecord.class)
        || LISTENERS.stream()
            .anyMatch(each -> AnnotatedElementUtils.hasAnnotation(found.method(), each));
  }

  private static String problem(
      List<String> methods, AbstractMessageListenerContainer<?, ?> container) {
    return "the container "
        + container.getListenerId()
        + " has no error handler, and by default it gives a record up after ten attempts in a few"
        + " seconds, while @Inboxed is on "
        + methods
        + ". Declare a bean such as new DefaultErrorHandler(new FixedBackOff(1000,"
        + " FixedBackOff.UNLIMITED_ATTEMPTS)), which holds the partition until the record is"
        + " processed, or receive by @InboxListener, which parks what fails and goes on";
  }

  @Override
  public void stop() {
    isRunning = false;
  }

  @Override
  public boolean isRunning() {
    return isRunning;
  }

  /** Just before that of Spring Kafka's containers. */
  @Override
  public int getPhase() {
    return AbstractMessageListenerContainer.DEFAULT_PHASE - 1;
  }
}
