// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.Problems;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Session;
import java.lang.reflect.Proxy;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.jms.config.SimpleJmsListenerEndpoint;

/** When a container of Spring JMS acknowledges a message. */
class JmsContainersTest {

  /** A broker that nobody connects to. */
  private static final ConnectionFactory BROKER =
      (ConnectionFactory)
          Proxy.newProxyInstance(
              JmsContainersTest.class.getClassLoader(),
              new Class<?>[] {ConnectionFactory.class},
              (proxy, method, arguments) -> {
                throw new IllegalStateException(method + " is not to be called");
              });

  private static void check(DefaultJmsListenerContainerFactory factory) {
    JmsListenerEndpointRegistry registry = new JmsListenerEndpointRegistry();
    factory.setConnectionFactory(BROKER);
    SimpleJmsListenerEndpoint endpoint = new SimpleJmsListenerEndpoint();
    endpoint.setId("orders");
    endpoint.setDestination("orders");
    endpoint.setMessageListener(message -> {});
    registry.registerListenerContainer(endpoint, factory);
    Problems problems = Problems.of("messages would be lost");
    new JmsContainers(
            BrokersOf.properties()
                .bean("registry", registry)
                .beans()
                .getBeanProvider(JmsListenerEndpointRegistry.class))
        .check(List.of("Billing.bill"), problems);
    problems.refuse();
  }

  @Test
  void oneThatAcknowledgesBeforeTheMethodIsCalledIsRefused() {
    assertThatThrownBy(() -> check(new DefaultJmsListenerContainerFactory()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll(
            "the JMS container orders acknowledges a message before", "Billing.bill", "transacted");
  }

  @Test
  void aTransactedOneAndOneThatAcknowledgesAfterwardsStart() {
    DefaultJmsListenerContainerFactory transacted = new DefaultJmsListenerContainerFactory();
    transacted.setSessionTransacted(true);
    check(transacted);
    DefaultJmsListenerContainerFactory after = new DefaultJmsListenerContainerFactory();
    after.setSessionAcknowledgeMode(Session.CLIENT_ACKNOWLEDGE);
    check(after);
  }

  /** Receives. */
  static class Receiving {

    /** By a container. */
    @JmsListener(destination = "orders")
    void listens(String order) {}

    /** By nobody of JMS. */
    void other(String order) {}
  }

  @Test
  void aContainerMayCallItsListeners() throws NoSuchMethodException {
    JmsContainers containers =
        new JmsContainers(
            BrokersOf.properties().beans().getBeanProvider(JmsListenerEndpointRegistry.class));
    assertThat(containers.mayCall(Receiving.class.getDeclaredMethod("listens", String.class)))
        .isTrue();
    assertThat(containers.mayCall(Receiving.class.getDeclaredMethod("other", String.class)))
        .isFalse();
  }
}
