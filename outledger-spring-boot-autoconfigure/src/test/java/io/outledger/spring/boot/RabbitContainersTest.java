// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.aopalliance.aop.Advice;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.RetryInterceptorBuilder;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.rabbit.retry.ImmediateRequeueMessageRecoverer;
import org.springframework.amqp.rabbit.retry.MessageRecoverer;
import org.springframework.amqp.rabbit.retry.RejectAndDontRequeueRecoverer;

/** What a container of Spring AMQP does with a message that fails, whatever the exception. */
class RabbitContainersTest {

  private final BrokersOf application = BrokersOf.properties();

  private List<String> losses(SimpleMessageListenerContainer container) {
    return containers().losses(container);
  }

  private RabbitContainers containers() {
    return new RabbitContainers(
        application.beans().getBeanProvider(RabbitListenerEndpointRegistry.class),
        application.beans().getBeanProvider(MessageRecoverer.class));
  }

  private static SimpleMessageListenerContainer keeping() {
    SimpleMessageListenerContainer container = new SimpleMessageListenerContainer();
    container.setErrorHandler(failure -> {});
    return container;
  }

  private static Advice retries() {
    RetryInterceptorBuilder<?, ?> builder = RetryInterceptorBuilder.stateless();
    return builder.build();
  }

  @Test
  void byDefaultItRejectsFatalExceptionsAtOnce() {
    assertThat(losses(new SimpleMessageListenerContainer()))
        .singleElement()
        .asString()
        .contains("fatal exceptions", "ContainerCustomizer");
  }

  @Test
  void withAnErrorHandlerThatRejectsNothingItKeepsAMessage() {
    assertThat(losses(keeping())).isEmpty();
  }

  @Test
  void whatIsNotAcknowledgedIsForgottenWhenItIsSent() {
    SimpleMessageListenerContainer container = keeping();
    assertThat(RabbitContainers.isAcknowledgedBefore(container)).isFalse();
    container.setAcknowledgeMode(AcknowledgeMode.MANUAL);
    assertThat(RabbitContainers.isAcknowledgedBefore(container)).isFalse();
    container.setAcknowledgeMode(AcknowledgeMode.NONE);
    assertThat(RabbitContainers.isAcknowledgedBefore(container)).isTrue();
  }

  @Test
  void ofTwoRecoverersNoneIsTakenForTheContainers() {
    SimpleMessageListenerContainer container = keeping();
    container.setAdviceChain(retries());
    application.bean("one", new ImmediateRequeueMessageRecoverer());
    application.bean("other", new ImmediateRequeueMessageRecoverer());
    assertThat(losses(container)).hasSize(1);
  }

  @Test
  void whatIsNotRequeuedIsRejected() {
    SimpleMessageListenerContainer container = keeping();
    container.setDefaultRequeueRejected(false);
    assertThat(losses(container))
        .singleElement()
        .asString()
        .contains("default-requeue-rejected=false");
  }

  @Test
  void whatGivesUpRejectsUnlessItsRecovererRequeues() {
    SimpleMessageListenerContainer container = keeping();
    container.setAdviceChain(retries());
    assertThat(losses(container)).singleElement().asString().contains("retry.enabled");

    application.bean("requeues", new ImmediateRequeueMessageRecoverer());
    assertThat(losses(container)).isEmpty();
  }

  @Test
  void aRecovererThatRejectsRequeuesNothing() {
    SimpleMessageListenerContainer container = keeping();
    container.setAdviceChain(retries());
    application.bean("rejects", new RejectAndDontRequeueRecoverer());
    assertThat(losses(container)).hasSize(1);
  }

  /** Receives. */
  static class Receiving {

    /** By a container. */
    @RabbitListener(queues = "orders")
    void listens(String order) {}

    /** By whoever calls. */
    void takes(Message order) {}

    /** By nobody of RabbitMQ. */
    void other(String order) {}
  }

  @Test
  void aContainerMayCallItsListenersAndWhatTakesAMessage() throws NoSuchMethodException {
    assertThat(mayCall("listens", String.class)).isTrue();
    assertThat(mayCall("takes", Message.class)).isTrue();
    assertThat(mayCall("other", String.class)).isFalse();
  }

  private boolean mayCall(String method, Class<?> parameter) throws NoSuchMethodException {
    return containers().mayCall(Receiving.class.getDeclaredMethod(method, parameter));
  }
}
