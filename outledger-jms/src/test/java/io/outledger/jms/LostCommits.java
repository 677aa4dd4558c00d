// SPDX-License-Identifier: Apache-2.0
package io.outledger.jms;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Connections to a broker of which the first commit fails, at a moment that the test chooses: it is
 * not known whether the broker has it. All that comes later is as the broker answers it.
 */
final class LostCommits {

  private final CountDownLatch isReached = new CountDownLatch(1);
  private final CountDownLatch isLost = new CountDownLatch(1);
  private final AtomicBoolean isFirst = new AtomicBoolean(true);
  private final ConnectionFactory real;

  LostCommits(ConnectionFactory real) {
    this.real = real;
  }

  ConnectionFactory factory() {
    return (ConnectionFactory) around(real, ConnectionFactory.class);
  }

  /** Waits until the first commit has been asked for. */
  void awaitFirst() throws InterruptedException {
    isReached.await();
  }

  void loseFirst() {
    isLost.countDown();
  }

  private Object around(Object inner, Class<?> type) {
    return Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) -> {
          if (method.getName().equals("commit") && isFirst.getAndSet(false)) {
            isReached.countDown();
            isLost.await();
            throw new JMSException("the connection was lost");
          }
          Object answer;
          try {
            answer = method.invoke(inner, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
          Class<?> returned = method.getReturnType();
          boolean isWrapped = Set.of(Connection.class, Session.class).contains(returned);
          return isWrapped ? around(answer, returned) : answer;
        });
  }
}
