// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ErrorCode;
import io.outledger.Problems;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitHandler;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.annotation.RabbitListeners;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.rabbit.retry.MessageRecoverer;
import org.springframework.amqp.rabbit.retry.RejectAndDontRequeueRecoverer;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Those of Spring AMQP. One that is sent messages without an acknowledgement is refused. What one
 * rejects is gone, unless the queue has a dead-letter exchange, which is not known here: so the log
 * warns, and the start goes on. A container does not tell of its settings, so they are read from
 * its fields; where those have other names, nothing is said.
 */
final class RabbitContainers implements ForeignContainers {

  private static final Logger LOG = LoggerFactory.getLogger(RabbitContainers.class);
  private static final List<Class<? extends Annotation>> LISTENERS =
      List.of(RabbitListener.class, RabbitListeners.class, RabbitHandler.class);

  private final ObjectProvider<RabbitListenerEndpointRegistry> containers;
  private final ObjectProvider<MessageRecoverer> recoverers;

  RabbitContainers(
      ObjectProvider<RabbitListenerEndpointRegistry> containers,
      ObjectProvider<MessageRecoverer> recoverers) {
    this.containers = containers;
    this.recoverers = recoverers;
  }

  @Override
  public boolean mayCall(Method method) {
    return Arrays.asList(method.getParameterTypes()).contains(Message.class)
        || LISTENERS.stream().anyMatch(each -> AnnotatedElementUtils.hasAnnotation(method, each));
  }

  @Override
  public void check(List<Called> methods, Problems problems) {
    RabbitListenerEndpointRegistry registry = containers.getIfAvailable();
    if (registry == null) {
      return;
    }
    registry.getListenerContainers().stream()
        .filter(AbstractMessageListenerContainer.class::isInstance)
        .map(AbstractMessageListenerContainer.class::cast)
        .forEach(
            container -> {
              if (isAcknowledgedBefore(container)) {
                problems.add(
                    "the container of the queues "
                        + List.of(container.getQueueNames())
                        + " takes messages as acknowledged before their method is called, while"
                        + " @Inboxed is on "
                        + methods
                        + ". Leave out spring.rabbitmq.listener.*.acknowledge-mode=none; or"
                        + " receive by @InboxListener");
              }
              List<String> losses = losses(container);
              if (!losses.isEmpty()) {
                tell(container.getQueueNames(), losses, methods);
              }
            });
  }

  private static void tell(String[] queues, List<String> losses, List<Called> methods) {
    LOG.warn(
        "{}: the container of the queues {} rejects messages that were not processed, while"
            + " @Inboxed is on {}, and RabbitMQ drops what is rejected from a queue without a"
            + " dead-letter exchange: {}. Give the queues a dead-letter exchange, or receive by"
            + " @InboxListener, which parks what fails",
        ErrorCode.INVALID_CONFIGURATION.code(),
        List.of(queues),
        methods,
        String.join("; ", losses));
  }

  /** Returns why a container rejects what was not processed, with what to do. */
  List<String> losses(AbstractMessageListenerContainer container) {
    List<String> losses = new ArrayList<>();
    DirectFieldAccessor fields = new DirectFieldAccessor(container);
    if (has(fields, "defaultRequeueRejected")
        && Boolean.FALSE.equals(fields.getPropertyValue("defaultRequeueRejected"))) {
      losses.add(
          "it does not requeue what fails; leave out"
              + " spring.rabbitmq.listener.*.default-requeue-rejected=false");
    }
    if (has(fields, "adviceChain")
        && fields.getPropertyValue("adviceChain") instanceof Object[] advice
        && Arrays.stream(advice).anyMatch(each -> each.getClass().getName().contains("Retry"))
        && rejects(recoverers.getIfUnique())) {
      losses.add(
          "it gives up after some attempts; leave out spring.rabbitmq.listener.*.retry.enabled,"
              + " or declare a bean ImmediateRequeueMessageRecoverer");
    }
    if (isFatalByDefault(container)) {
      losses.add(
          "it rejects at once what fails with one of Spring AMQP's fatal exceptions, such as a"
              + " ClassCastException of the method; set another error handler in a bean"
              + " ContainerCustomizer");
    }
    return losses;
  }

  /** Returns whether the broker forgets a message when it has sent it. */
  static boolean isAcknowledgedBefore(AbstractMessageListenerContainer container) {
    DirectFieldAccessor fields = new DirectFieldAccessor(container);
    return has(fields, "acknowledgeMode")
        && fields.getPropertyValue("acknowledgeMode") == AcknowledgeMode.NONE;
  }

  private static boolean has(DirectFieldAccessor fields, String name) {
    return fields.isReadableProperty(name);
  }

  private static boolean rejects(@Nullable MessageRecoverer recoverer) {
    return recoverer == null || recoverer instanceof RejectAndDontRequeueRecoverer;
  }

  private static boolean isFatalByDefault(AbstractMessageListenerContainer container) {
    Object handler = container.getErrorHandler();
    if (handler == null) {
      return false;
    }
    DirectFieldAccessor fields = new DirectFieldAccessor(handler);
    Object strategy =
        has(fields, "exceptionStrategy") ? fields.getPropertyValue("exceptionStrategy") : null;
    return strategy != null && strategy.getClass().getName().endsWith("$DefaultExceptionStrategy");
  }
}
