// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Times the polls of the relays that work on a watched database. Thread-safe. */
final class PollClock {

  /** What is in the text of a poll and of no other statement. */
  private static final String MARK = "AS open (first, last)";

  private final List<Double> millis = new ArrayList<>();

  DataSource watch(DataSource dataSource) {
    return proxy(DataSource.class, dataSource, "getConnection", this::connection);
  }

  /** Returns how many milliseconds each poll took since the last time this was asked. */
  synchronized Sample take() {
    Sample taken = Sample.of(millis);
    millis.clear();
    return taken;
  }

  private synchronized void note(long nanos) {
    millis.add(nanos / 1e6);
  }

  /** Makes a call, and returns what its caller gets. */
  private interface Call {
    Object made(Invocation invocation, Object[] arguments) throws Throwable;
  }

  private interface Invocation {
    Object run() throws Throwable;
  }

  private Object connection(Invocation get, Object[] arguments) throws Throwable {
    return proxy(Connection.class, (Connection) get.run(), "prepareStatement", this::statement);
  }

  private Object statement(Invocation prepare, Object[] arguments) throws Throwable {
    PreparedStatement statement = (PreparedStatement) prepare.run();
    boolean polls = ((String) arguments[0]).contains(MARK);
    return polls
        ? proxy(PreparedStatement.class, statement, "executeQuery", this::timed)
        : statement;
  }

  private Object timed(Invocation poll, Object[] arguments) throws Throwable {
    long start = System.nanoTime();
    Object rows = poll.run();
    note(System.nanoTime() - start);
    return rows;
  }

  private static <T> T proxy(Class<T> type, T target, String watched, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              Invocation invocation = () -> invoke(method, target, arguments);
              return method.getName().equals(watched)
                  ? call.made(invocation, arguments)
                  : invocation.run();
            }));
  }

  private static Object invoke(java.lang.reflect.Method method, Object target, Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
