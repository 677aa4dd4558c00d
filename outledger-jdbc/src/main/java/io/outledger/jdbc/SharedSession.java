// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A data source of one connection, which the stores of one pull use in turn: each of them would
 * keep one of its own for as long as it is open. The connection is closed when the last store
 * closes it, and aborted when any of them aborts it; the next use opens another. Used by one thread
 * at a time.
 */
final class SharedSession implements DataSource {

  private final DataSource dataSource;
  private @Nullable Connection connection;
  private int users;

  SharedSession(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  @Override
  public synchronized Connection getConnection() throws SQLException {
    Connection shared = connection;
    if (shared == null || shared.isClosed()) {
      shared = dataSource.getConnection();
      connection = shared;
      users = 0;
    }
    users++;
    return lent(shared);
  }

  private Connection lent(Connection shared) {
    boolean[] isBack = {false};
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (!method.getName().equals("close")) {
                return call(shared, method, arguments);
              }
              if (!isBack[0]) {
                isBack[0] = true;
                giveBack(shared);
              }
              return null;
            });
  }

  private synchronized void giveBack(Connection shared) throws SQLException {
    if (shared == connection && --users > 0) {
      return;
    }
    if (shared == connection) {
      connection = null;
    }
    shared.close();
  }

  private static @Nullable Object call(
      Connection shared, Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(shared, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLException("the user and password are those of the data source");
  }

  @Override
  public @Nullable PrintWriter getLogWriter() throws SQLException {
    return dataSource.getLogWriter();
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
    dataSource.setLogWriter(out);
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    dataSource.setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return dataSource.getLoginTimeout();
  }

  @Override
  public @Nullable Logger getParentLogger() {
    return null;
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return dataSource.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return dataSource.isWrapperFor(type);
  }
}
