// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.Problems;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Session;
import jakarta.transaction.UserTransaction;
import java.lang.reflect.Proxy;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.jms.config.SimpleJmsListenerEndpoint;
import org.springframework.jms.connection.JmsTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.jta.JtaTransactionManager;

/** When a container of Spring JMS acknowledges a message. */
class JmsContainersTest {

  /** A broker that nobody connects to. */
  private static final ConnectionFactory BROKER =
      (ConnectionFactory)
          Proxy.newProxyInstance(
              JmsContainersTest.class.getClassLoader(),
              new Class<?>[] {ConnectionFactory.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("equals")) {
                  return proxy == arguments[0];
                }
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
        .check(List.of(method()), problems);
    problems.refuse();
  }

  private static ForeignContainers.Called method() {
    try {
      return new ForeignContainers.Called(
          Receiving.class.getDeclaredMethod("listens", String.class), "Billing.bill");
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }

  private static DefaultJmsListenerContainerFactory under(PlatformTransactionManager manager) {
    DefaultJmsListenerContainerFactory factory = new DefaultJmsListenerContainerFactory();
    factory.setTransactionManager(manager);
    return factory;
  }

  /** Whose roll-back is the session's: the broker delivers again. */
  @Test
  void oneThatReceivesInATransactionOfItsBrokerStarts() {
    check(under(new JmsTransactionManager(BROKER)));
    UserTransaction none =
        (UserTransaction)
            Proxy.newProxyInstance(
                UserTransaction.class.getClassLoader(),
                new Class<?>[] {UserTransaction.class},
                (proxy, method, arguments) -> null);
    check(under(new JtaTransactionManager(none)));
  }

  /** Has transactions of something else. */
  private static final class Other implements PlatformTransactionManager {

    @Override
    public TransactionStatus getTransaction(@Nullable TransactionDefinition definition) {
      throw new IllegalStateException("begins none");
    }

    @Override
    public void commit(TransactionStatus status) {}

    @Override
    public void rollback(TransactionStatus status) {}
  }

  @Test
  void oneWhoseTransactionIsNotItsBrokersIsRefused() {
    assertThatThrownBy(() -> check(under(new Other())))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("acknowledges a message before");
  }

  @Test
  void aContainerThatDuplicatesMayBeAskedForAcknowledgesBefore() {
    DefaultJmsListenerContainerFactory lazily = new DefaultJmsListenerContainerFactory();
    lazily.setSessionAcknowledgeMode(Session.DUPS_OK_ACKNOWLEDGE);
    assertThatThrownBy(() -> check(lazily)).isInstanceOf(ConfigurationException.class);
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
