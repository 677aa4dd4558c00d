// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.kafka.annotation.KafkaHandler;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.KafkaListeners;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * Which container of Spring Kafka may call which method. Of a method that is a listener itself this
 * is known, by its id or its topics. A listener may also hand its record to a bean that takes one:
 * which does is not known, so any may.
 */
final class KafkaListening {

  private static final List<Class<? extends Annotation>> LISTENERS =
      List.of(KafkaListener.class, KafkaListeners.class, KafkaHandler.class);

  private final ObjectProvider<KafkaListenerEndpointRegistry> registry;
  private final ConfigurableBeanFactory beans;

  KafkaListening(
      ObjectProvider<KafkaListenerEndpointRegistry> registry, ConfigurableBeanFactory beans) {
    this.registry = registry;
    this.beans = beans;
  }

  /** Says whether a container may call a method. */
  boolean mayCall(Method method) {
    return Arrays.asList(method.getParameterTypes()).contains(ConsumerRecord.class)
        || LISTENERS.stream().anyMatch(each -> AnnotatedElementUtils.hasAnnotation(method, each));
  }

  /** Returns all that are known by now. */
  List<AbstractMessageListenerContainer<?, ?>> containers() {
    KafkaListenerEndpointRegistry known = registry.getIfAvailable();
    return known == null
        ? List.of()
        : known.getAllListenerContainers().stream()
            .filter(AbstractMessageListenerContainer.class::isInstance)
            .<AbstractMessageListenerContainer<?, ?>>map(
                each -> (AbstractMessageListenerContainer<?, ?>) each)
            .toList();
  }

  /**
   * Returns those whose records come again from topics of their own where they fail, by their ids:
   * for each of these topics there is a container, which knows its first one.
   */
  Set<String> retriedByTopics() {
    return containers().stream()
        .filter(each -> each.getMainListenerId() != null)
        .filter(each -> !Objects.equals(each.getMainListenerId(), each.getListenerId()))
        .map(AbstractMessageListenerContainer::getMainListenerId)
        .collect(Collectors.toSet());
  }

  /** Returns those of some methods that a container may call. */
  List<ForeignContainers.Called> calledBy(
      AbstractMessageListenerContainer<?, ?> container, List<ForeignContainers.Called> methods) {
    return methods.stream().filter(each -> mayCall(container, each.method())).toList();
  }

  private boolean mayCall(AbstractMessageListenerContainer<?, ?> container, Method method) {
    Set<KafkaListener> own =
        AnnotatedElementUtils.getMergedRepeatableAnnotations(
            method, KafkaListener.class, KafkaListeners.class);
    return own.isEmpty() || own.stream().anyMatch(each -> isOf(container, each));
  }

  private boolean isOf(AbstractMessageListenerContainer<?, ?> container, KafkaListener listener) {
    AbstractMessageListenerContainer<?, ?> first = first(container);
    if (!listener.id().isEmpty()) {
      String id = plain(listener.id());
      return id == null || id.equals(first.getListenerId());
    }
    List<@Nullable String> topics = Arrays.stream(listener.topics()).map(this::plain).toList();
    if (topics.isEmpty() || topics.contains(null)) {
      return true;
    }
    String[] received = first.getContainerProperties().getTopics();
    return received != null && Set.copyOf(topics).equals(Set.copyOf(Arrays.asList(received)));
  }

  /** Returns the container of the topics that a listener names, of one that retries by others. */
  private AbstractMessageListenerContainer<?, ?> first(
      AbstractMessageListenerContainer<?, ?> container) {
    String id = container.getMainListenerId();
    KafkaListenerEndpointRegistry known = registry.getIfAvailable();
    MessageListenerContainer main =
        id == null || known == null ? null : known.getListenerContainer(id);
    return main instanceof AbstractMessageListenerContainer<?, ?> found ? found : container;
  }

  /** Returns what a text of an annotation says; null where it is an expression or a list. */
  private @Nullable String plain(String text) {
    String resolved = beans.resolveEmbeddedValue(text);
    boolean isPlain = resolved != null && !resolved.contains("#{") && !resolved.contains(",");
    return isPlain ? resolved : null;
  }
}
