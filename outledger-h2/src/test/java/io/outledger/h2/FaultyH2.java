// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.contracts.CarriedFixture;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A way to a database in memory. That ends with this process alone, so a crash breaks its
 * connections instead, and nothing that they have not committed stays.
 */
final class FaultyH2 implements CarriedFixture.Line {

  private static final String CONNECTION_FAILURE = "08006";

  private enum State {
    THERE,
    AWAY,
    WITHOUT_ANSWERS
  }

  private final DataSource direct;
  private final AtomicInteger crashes = new AtomicInteger();
  private volatile State state = State.THERE;

  FaultyH2(DataSource direct) {
    this.direct = direct;
  }

  /** Returns the database as it is behind this way. */
  DataSource dataSource() {
    return proxy(
        DataSource.class,
        (method, arguments) -> {
          if (state == State.AWAY) {
            throw new SQLException("the line is cut", CONNECTION_FAILURE);
          }
          Object answer = call(direct, method, arguments);
          return answer instanceof Connection made ? behind(made) : answer;
        });
  }

  private Connection behind(Connection made) {
    int life = crashes.get();
    return proxy(
        Connection.class,
        (method, arguments) -> {
          boolean isCommit = method.getName().equals("commit");
          if (life != crashes.get() && !method.getName().equals("close")) {
            made.rollback();
            throw new SQLException("the connection is broken", CONNECTION_FAILURE);
          }
          Object answer = call(made, method, arguments);
          if (isCommit && state == State.WITHOUT_ANSWERS) {
            throw new SQLException("no answer to the commit", CONNECTION_FAILURE);
          }
          return answer;
        });
  }

  /** What a proxy does for what it stands for. */
  private interface Calls {
    @Nullable Object call(Method method, Object @Nullable [] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Calls calls) {
    return type.cast(
        Proxy.newProxyInstance(
            FaultyH2.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> calls.call(method, arguments)));
  }

  private static @Nullable Object call(Object of, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(of, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @Override
  public void takeAway() {
    state = State.AWAY;
  }

  @Override
  public void loseAnswers() {
    state = State.WITHOUT_ANSWERS;
  }

  @Override
  public void bringBack() {
    state = State.THERE;
  }

  @Override
  public void crash() {
    crashes.incrementAndGet();
  }

  @Override
  public void close() {
    CarriedFixture.execute(direct, "SHUTDOWN");
  }
}
