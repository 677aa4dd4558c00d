// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import io.outledger.benchmarks.SharedClock;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;

/**
 * Notes for each thread when the commit it asked for had returned from the server, whatever else
 * its caller does before the transaction returns. Does nothing until it is armed.
 */
final class CommitClock {

  private static final ThreadLocal<long[]> COMMITTED = new ThreadLocal<>();

  private CommitClock() {}

  /** Notes this thread's next commit. */
  static void arm() {
    COMMITTED.set(new long[1]);
  }

  /** Returns when this thread's first commit since it was armed had returned. */
  static long takeNanos() {
    long nanos = COMMITTED.get()[0];
    COMMITTED.remove();
    if (nanos == 0) {
      throw new IllegalStateException("this thread has not committed");
    }
    return nanos;
  }

  static DataSource watch(DataSource dataSource) {
    return proxy(
        DataSource.class,
        dataSource,
        (method, result) ->
            result instanceof Connection connection
                ? proxy(Connection.class, connection, CommitClock::note)
                : result);
  }

  private static Object note(String method, Object result) {
    long[] slot = COMMITTED.get();
    if (slot != null && slot[0] == 0 && method.equals("commit")) {
      slot[0] = SharedClock.nanos();
    }
    return result;
  }

  /** Sees what a call returned, and returns what its caller gets. */
  private interface Returned {
    Object of(String method, Object result);
  }

  private static <T> T proxy(Class<T> type, T target, Returned returned) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              try {
                return returned.of(method.getName(), method.invoke(target, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
