// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.Problems;
import io.outledger.spring.Inboxed;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;

/**
 * Those of Spring Kafka whose records are retried by other topics, whatever asks for that: an
 * annotation, a bean or a property. A message that is remembered by its topic has another identity
 * there, and would take effect twice.
 */
final class KafkaRetryTopics implements ForeignContainers {

  private final KafkaListening listening;

  KafkaRetryTopics(KafkaListening listening) {
    this.listening = listening;
  }

  @Override
  public boolean mayCall(Method method) {
    Inboxed said = AnnotatedElementUtils.findMergedAnnotation(method, Inboxed.class);
    return listening.mayCall(method) && (said == null || said.source().isBlank());
  }

  @Override
  public void check(List<Called> methods, Problems problems) {
    Set<String> retried = listening.retriedByTopics();
    for (AbstractMessageListenerContainer<?, ?> container : listening.containers()) {
      List<Called> called = listening.calledBy(container, methods);
      if (retried.contains(container.getListenerId()) && !called.isEmpty()) {
        problems.add(
            "what the container "
                + container.getListenerId()
                + " cannot process is retried by other topics, and "
                + called
                + " name no source, so a message is remembered by its topic. Name the source in"
                + " @Inboxed, such as the first topic, and write an expression for the id, such as"
                + " #p0.headers().lastHeader('ce_id').value()");
      }
    }
  }
}
