// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The smallest pool: one connection, handed out behind a wrapper that is not the driver's class.
 * Whoever asks while it is out waits a little and is refused, as pools do.
 */
final class PoolOfOne implements DataSource, AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Connection only;
  private final Semaphore free = new Semaphore(1);

  PoolOfOne(DataSource source) throws SQLException {
    this.only = source.getConnection();
  }

  @Override
  public Connection getConnection() throws SQLException {
    borrow();
    return (Connection)
        Proxy.newProxyInstance(
            PoolOfOne.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "close" -> giveBack();
                  case "unwrap" -> throw new SQLException("this pool hides its connection");
                  case "isWrapperFor" -> false;
                  case "equals" -> proxy == arguments[0];
                  case "hashCode" -> System.identityHashCode(proxy);
                  default -> invoke(method, arguments);
                });
  }

  private void borrow() throws SQLException {
    try {
      if (!free.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new SQLTransientConnectionException("the pool's only connection is in use", "08001");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLException("interrupted while waiting for the pool's connection", e);
    }
  }

  private @Nullable Object invoke(java.lang.reflect.Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(only, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  private @Nullable Object giveBack() throws SQLException {
    if (!only.isClosed() && !only.getAutoCommit()) {
      throw new IllegalStateException("the connection came back in another mode than it went");
    }
    free.release();
    return null;
  }

  boolean isLent() {
    return free.availablePermits() == 0;
  }

  @Override
  public void close() throws SQLException {
    only.close();
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return getConnection();
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
