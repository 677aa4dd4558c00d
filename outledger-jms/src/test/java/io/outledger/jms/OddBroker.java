// SPDX-License-Identifier: Apache-2.0
package io.outledger.jms;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;

/** Connections to a broker of which some calls wait or fail, as a test needs them. */
abstract class OddBroker {

  private static final Set<Class<?>> WATCHED =
      Set.of(Connection.class, Session.class, MessageProducer.class);

  private final ConnectionFactory real;

  OddBroker(ConnectionFactory real) {
    this.real = real;
  }

  /** Runs before each call; what it throws is thrown in the call's place. */
  abstract void before(String method) throws Exception;

  /** Runs before a message is sent, behind {@link #before}. */
  void sends(Message message) throws JMSException {}

  ConnectionFactory factory() {
    return (ConnectionFactory) around(real, ConnectionFactory.class);
  }

  private Object around(Object inner, Class<?> type) {
    return Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) -> {
          before(method.getName());
          if (method.getName().equals("send") && arguments[0] instanceof Message message) {
            sends(message);
          }
          Object answer;
          try {
            answer = method.invoke(inner, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
          Class<?> returned = method.getReturnType();
          return WATCHED.contains(returned) ? around(answer, returned) : answer;
        });
  }
}
