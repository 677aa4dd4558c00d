// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Map;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A data source without a pool, over the JDBC driver in the plugin's folder that takes the URL.
 * Thread-safe.
 */
final class DriverDataSource implements DataSource {

  private static final String LOGIN_REFUSED = "28"; // a class of SQLSTATE, in the standard
  // By default, PostgreSQL's driver waits for ever for a server that accepts a connection and then
  // freezes, and everybody who asks the pool waits with it. A value in the URL takes precedence.
  private static final String POSTGRESQL = "jdbc:postgresql:";
  private static final Map<String, String> BOUNDED_LOGIN = Map.of("loginTimeout", "30");
  private static final int LOGIN_SECONDS = 5; // what closing a pool waits for

  private final String url;
  private final @Nullable String user;
  private final @Nullable String password;

  DriverDataSource(String url, @Nullable String user, @Nullable String password) {
    this.url = url;
    this.user = user;
    this.password = password;
  }

  String url() {
    return url;
  }

  /** Returns whether there is a driver for a URL. */
  static boolean hasDriver(String url) {
    try {
      driver(url);
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  /** Returns whether the database answered, and refused the user or the password. */
  static boolean isLoginRefused(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql
          && sql.getSQLState() != null
          && sql.getSQLState().startsWith(LOGIN_REFUSED)) {
        return true;
      }
    }
    return false;
  }

  // Not by the driver manager: it hides drivers that other class loaders have registered.
  private static Driver driver(String url) throws SQLException {
    for (Driver driver :
        ServiceLoader.load(Driver.class, DriverDataSource.class.getClassLoader())) {
      if (driver.acceptsURL(url)) {
        return driver;
      }
    }
    throw new SQLException("no JDBC driver in the connector's folder takes database.url");
  }

  @Override
  public Connection getConnection() throws SQLException {
    Properties properties = new Properties();
    if (url.startsWith(POSTGRESQL)) {
      properties.putAll(BOUNDED_LOGIN);
    }
    if (user != null) {
      properties.setProperty("user", user);
    }
    if (password != null) {
      properties.setProperty("password", password);
    }
    Connection connection = driver(url).connect(url, properties);
    if (connection == null) {
      throw new SQLException("the JDBC driver does not take database.url");
    }
    return connection;
  }

  @Override
  public Connection getConnection(String otherUser, String otherPassword) throws SQLException {
    return new DriverDataSource(url, otherUser, otherPassword).getConnection();
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
    throw new SQLFeatureNotSupportedException("the driver logs by itself");
  }

  /** Ignored: pools set what is too short for a URL with several hosts. */
  @Override
  public void setLoginTimeout(int seconds) {}

  @Override
  public int getLoginTimeout() {
    return LOGIN_SECONDS;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("the driver logs by itself");
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("wraps nothing");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
