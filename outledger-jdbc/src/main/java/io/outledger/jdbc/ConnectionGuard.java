// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.jdbc.spi.InboxProof;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Wrapper;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Refuses, with {@code OUT-030}, what would end or change the transaction that the work runs in,
 * and everything once it is over. Savepoints that the work sets are its own.
 *
 * <p>It shows a mistake where it is made. What gets round it, such as {@code ROLLBACK} as a
 * statement, the {@linkplain InboxProof server} finds before the commit.
 */
final class ConnectionGuard implements InvocationHandler {

  private static final Set<String> REFUSED =
      Set.of(
          "commit",
          "rollback",
          "abort",
          "close",
          "setAutoCommit",
          "setReadOnly",
          "setTransactionIsolation");

  private final Connection connection;
  private final RunningTransaction running;

  private ConnectionGuard(Connection connection, RunningTransaction running) {
    this.connection = connection;
    this.running = running;
  }

  static GuardedConnection around(Connection connection, RunningTransaction running) {
    return proxy(GuardedConnection.class, new ConnectionGuard(connection, running));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    Object[] given = arguments == null ? new Object[0] : arguments;
    String name = method.getName();
    if (method.getDeclaringClass() == Object.class) {
      return ofObject(connection, proxy, method, given);
    }
    if (name.equals("running")) {
      return running;
    }
    if (method.getDeclaringClass() == Wrapper.class && ((Class<?>) given[0]).isInstance(proxy)) {
      return name.equals("unwrap") ? proxy : true;
    }
    if (method.getDeclaringClass() == Wrapper.class) {
      return wrapping(name);
    }
    boolean toSavepoint = name.equals("rollback") && given.length == 1;
    if (REFUSED.contains(name) && !toSavepoint) {
      throw running.refused("Connection." + name);
    }
    running.requireNotOver();
    return guarded(noted(connection, method, given), (Connection) proxy);
  }

  // A driver's own connection could end the transaction, so the work is told that there is none.
  // Asking for one has not harmed the transaction yet: it may go on without.
  private static boolean wrapping(String question) {
    if (question.equals("isWrapperFor")) {
      return false;
    }
    throw refusal("Connection." + question);
  }

  /** Methods that return the connection return the guarded one. */
  private @Nullable Object guarded(@Nullable Object result, Connection proxy) {
    if (result instanceof CallableStatement statement) {
      return proxy(CallableStatement.class, leadingTo(proxy, statement));
    }
    if (result instanceof PreparedStatement statement) {
      return proxy(PreparedStatement.class, leadingTo(proxy, statement));
    }
    if (result instanceof Statement statement) {
      return proxy(Statement.class, leadingTo(proxy, statement));
    }
    if (result instanceof DatabaseMetaData metaData) {
      return proxy(DatabaseMetaData.class, leadingTo(proxy, metaData));
    }
    return result;
  }

  private InvocationHandler leadingTo(Connection connection, Object target) {
    return (proxy, method, arguments) -> {
      Object[] given = arguments == null ? new Object[0] : arguments;
      if (method.getDeclaringClass() == Object.class) {
        return ofObject(target, proxy, method, given);
      }
      return method.getName().equals("getConnection") ? connection : noted(target, method, given);
    };
  }

  private static @Nullable Object ofObject(
      Object target, Object proxy, Method method, Object[] given) throws Throwable {
    return switch (method.getName()) {
      case "equals" -> proxy == given[0];
      case "hashCode" -> System.identityHashCode(proxy);
      default -> call(target, method, given);
    };
  }

  /** Calls it, and tells the transaction of a failure, also where the work catches that. */
  private @Nullable Object noted(Object target, Method method, Object[] given) throws Throwable {
    try {
      return call(target, method, given);
    } catch (SQLException e) {
      running.met(e);
      throw e;
    }
  }

  private static @Nullable Object call(Object target, Method method, Object[] given)
      throws Throwable {
    try {
      return method.invoke(target, given);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            ConnectionGuard.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** Returns the exception for a call that the work may not make. */
  static StoreException refusal(String call) {
    return new StoreException(
        ErrorCode.TRANSACTION_NOT_YOURS,
        call
            + " is not allowed here: Outledger commits this transaction when the work returns and"
            + " rolls it back when the work throws. To undo a part, set a savepoint",
        null);
  }
}
