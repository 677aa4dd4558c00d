// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Stands between a test and its connections. */
final class LentConnections {

  private LentConnections() {}

  /** What is lent in the place of a connection. */
  @FunctionalInterface
  interface Lending {
    Connection lent(Connection connection) throws SQLException;
  }

  /** Returns a data source that lends others in the place of the connections of a real one. */
  static DataSource of(DataSource real, Lending lending) {
    return proxy(
        DataSource.class,
        (self, method, arguments) -> {
          Object result = invoke(real, method, arguments);
          return result instanceof Connection connection ? lending.lent(connection) : result;
        });
  }

  /** Calls a method as if nobody stood between. */
  static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  static <T> T proxy(Class<T> type, InvocationHandler handler) {
    ClassLoader ours = LentConnections.class.getClassLoader();
    return type.cast(Proxy.newProxyInstance(ours, new Class<?>[] {type}, handler));
  }
}
