// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.Problems;
import io.outledger.spring.Inboxed;
import java.lang.reflect.Method;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.retrytopic.RetryTopicConfiguration;

/**
 * Those of Spring Kafka whose records are retried by other topics, as a property of Boot asks for;
 * of {@code @RetryableTopic}, each method tells itself. A message that is remembered by its topic
 * has another identity there, and would take effect twice.
 */
final class KafkaRetryTopics implements ForeignContainers {

  private final KafkaContainers listening;
  private final ObjectProvider<KafkaListenerEndpointRegistry> containers;
  private final ObjectProvider<RetryTopicConfiguration> retries;

  KafkaRetryTopics(
      KafkaContainers listening,
      ObjectProvider<KafkaListenerEndpointRegistry> containers,
      ObjectProvider<RetryTopicConfiguration> retries) {
    this.listening = listening;
    this.containers = containers;
    this.retries = retries;
  }

  @Override
  public boolean mayCall(Method method) {
    Inboxed said = AnnotatedElementUtils.findMergedAnnotation(method, Inboxed.class);
    return listening.mayCall(method) && (said == null || said.source().isBlank());
  }

  @Override
  public void check(List<String> methods, Problems problems) {
    KafkaListenerEndpointRegistry registry = containers.getIfAvailable();
    if (registry == null) {
      return;
    }
    registry.getAllListenerContainers().stream()
        .filter(AbstractMessageListenerContainer.class::isInstance)
        .map(AbstractMessageListenerContainer.class::cast)
        .filter(container -> areRetried(container.getContainerProperties().getTopics()))
        .forEach(
            container ->
                problems.add(
                    "what the container "
                        + container.getListenerId()
                        + " cannot process is retried by other topics, and "
                        + methods
                        + " name no source, so a message is remembered by its topic. Name the"
                        + " source in @Inboxed, such as the first topic, and write an expression"
                        + " for the id, such as #p0.headers().lastHeader('ce_id').value()"));
  }

  private boolean areRetried(String[] topics) {
    return topics != null
        && retries.stream().anyMatch(each -> each.hasConfigurationForTopics(topics));
  }
}
