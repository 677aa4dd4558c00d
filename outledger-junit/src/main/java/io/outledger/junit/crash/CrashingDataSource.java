// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.crash;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A data source of a process that can crash. */
record CrashingDataSource(DataSource database, CrashSteps steps) implements DataSource {

  @Override
  public Connection getConnection() throws SQLException {
    CrashingConnection.requireAlive(steps);
    return CrashingConnection.around(database.getConnection(), steps);
  }

  @Override
  public Connection getConnection(@Nullable String username, @Nullable String password)
      throws SQLException {
    CrashingConnection.requireAlive(steps);
    return CrashingConnection.around(database.getConnection(username, password), steps);
  }

  @Override
  public @Nullable PrintWriter getLogWriter() throws SQLException {
    return database.getLogWriter();
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
    database.setLogWriter(out);
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    database.setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return database.getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    return database.getParentLogger();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return type.isInstance(this) ? type.cast(this) : database.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return type.isInstance(this) || database.isWrapperFor(type);
  }
}
