// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.servers.InnoDbServer;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections to one database of a test server, without a pool.
 *
 * @param server whose address and password are used
 * @param user one of its users
 * @param port where it, or another with that user and password, is reached
 * @param database its name
 * @param parameters what the URL ends with, which both drivers read; empty for nothing
 */
record ConnectionsTo(InnoDbServer server, String user, int port, String database, String parameters)
    implements DataSource {

  @Override
  public Connection getConnection() throws SQLException {
    String url = server.jdbcUrl(database).replace(":" + server.port() + "/", ":" + port + "/");
    return DriverManager.getConnection(url + "?" + parameters, user, server.password());
  }

  @Override
  public Connection getConnection(String username, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(PrintWriter out) {}

  @Override
  public void setLoginTimeout(int seconds) {}

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
    throw new SQLException("not a wrapper");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
