// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.crash;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a process that can crash. When it does, the transaction is rolled back and the
 * real connection is closed, as the server does when a client's process is gone; later calls fail
 * as on a broken connection.
 */
final class CrashingConnection implements InvocationHandler, CrashSteps.Cuttable {

  private static final String CONNECTION_FAILURE = "08006";

  private final Connection real;
  private final CrashSteps steps;
  private final ReentrantLock inUse = new ReentrantLock();
  private volatile boolean hasWritten;

  private CrashingConnection(Connection real, CrashSteps steps) {
    this.real = real;
    this.steps = steps;
  }

  static Connection around(Connection real, CrashSteps steps) {
    CrashingConnection guard = new CrashingConnection(real, steps);
    steps.onCrash(guard);
    return proxy(Connection.class, guard);
  }

  static void requireAlive(CrashSteps steps) throws SQLException {
    if (steps.hasCrashed()) {
      throw new SQLException("this process has crashed, as its test asked", CONNECTION_FAILURE);
    }
  }

  static <T> T proxy(Class<T> type, InvocationHandler handler) {
    ClassLoader loader = CrashingConnection.class.getClassLoader();
    return type.cast(Proxy.newProxyInstance(loader, new Class<?>[] {type}, handler));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    return switch (method.getName()) {
      case "close" -> close(method, arguments);
      case "isClosed" -> steps.hasCrashed() || real.isClosed();
      case "commit" -> commit("COMMIT", real, method, arguments);
      case "setAutoCommit" -> setAutoCommit(method, arguments);
      case "rollback" -> rollback(method, arguments);
      case "equals" -> arguments != null && proxy == arguments[0];
      case "hashCode" -> System.identityHashCode(proxy);
      case "toString" -> real.toString();
      default -> statement(method, arguments);
    };
  }

  private @Nullable Object close(Method method, Object @Nullable [] arguments) throws Throwable {
    steps.forget(this);
    if (steps.hasCrashed()) {
      cut(0); // where the crash could not, or the connection was opened meanwhile
      return null;
    }
    return call(real, method, arguments);
  }

  /** Within a transaction only {@code true} ends it, and commits. */
  private @Nullable Object setAutoCommit(Method method, Object @Nullable [] arguments)
      throws Throwable {
    return arguments != null && Boolean.TRUE.equals(arguments[0])
        ? commit("COMMIT by setAutoCommit(true)", real, method, arguments)
        : call(real, method, arguments);
  }

  /** To a savepoint only where there is an argument: the rest is still to be committed. */
  private @Nullable Object rollback(Method method, Object @Nullable [] arguments) throws Throwable {
    Object result = call(real, method, arguments);
    hasWritten = hasWritten && arguments != null;
    return result;
  }

  private @Nullable Object statement(Method method, Object @Nullable [] arguments)
      throws Throwable {
    Object result = call(real, method, arguments);
    return result instanceof Statement statement
        ? CrashingStatement.around(statement, this, text(arguments))
        : result;
  }

  /** Ends a transaction, which is a step where it has written. */
  @Nullable Object commit(String name, Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    if (!hasWritten) {
      return call(target, method, arguments);
    }
    steps.takeOrThrow("before " + name);
    Object result = call(target, method, arguments);
    hasWritten = false;
    steps.takeOrThrow("after " + name);
    return result;
  }

  /** Runs a statement that writes, which in auto-commit mode is a commit, too. */
  @Nullable Object write(String sql, Object statement, Method method, Object @Nullable [] arguments)
      throws Throwable {
    steps.takeOrThrow("before " + sql);
    Object result = call(statement, method, arguments);
    if (real.getAutoCommit()) {
      steps.takeOrThrow("after " + sql);
    } else {
      hasWritten = true;
    }
    return result;
  }

  @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    inUse.lock();
    try {
      requireAlive(steps);
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    } finally {
      inUse.unlock();
      if (steps.hasCrashed()) {
        cut(0); // a statement that ran for too long is over
      }
    }
  }

  boolean hasCrashed() {
    return steps.hasCrashed();
  }

  private static String text(Object @Nullable [] arguments) {
    return arguments != null && arguments.length > 0 && arguments[0] instanceof String sql
        ? sql
        : "";
  }

  @Override
  public boolean cut(long waitSeconds) {
    boolean interrupted = Thread.interrupted(); // for later: the application set it
    try {
      return cutNow(waitSeconds);
    } catch (SQLException e) {
      throw new IllegalStateException("a connection of the crashed process cannot be cut", e);
    } catch (InterruptedException e) {
      interrupted = true;
      return false;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private boolean cutNow(long waitSeconds) throws SQLException, InterruptedException {
    if (!inUse.tryLock(waitSeconds, TimeUnit.SECONDS)) {
      return false;
    }
    try {
      if (!real.isClosed()) {
        if (!real.getAutoCommit()) {
          real.rollback();
        }
        real.close();
      }
      return true;
    } finally {
      inUse.unlock();
    }
  }
}
