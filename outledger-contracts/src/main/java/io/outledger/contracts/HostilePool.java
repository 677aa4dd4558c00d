// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;

/**
 * A pool with every default that could harm a transaction of ours. It notes what comes back set
 * otherwise, and tells a listener of each statement before it is executed.
 */
final class HostilePool {

  /** Is told of a statement. */
  @FunctionalInterface
  interface Listener {
    void told(String sql);
  }

  private final DataSource real;
  private final HostileSettings settings;
  private final int isolation;
  private final boolean autoCommit;
  private final Queue<String> changed = new ConcurrentLinkedQueue<>();
  private volatile Listener listener = sql -> {};

  /**
   * Makes one.
   *
   * @param isolation at which it lends connections; the highest where the database has no such
   */
  HostilePool(DataSource real, HostileSettings settings, int isolation, boolean autoCommit)
      throws SQLException {
    this.real = real;
    this.settings = settings;
    this.autoCommit = autoCommit;
    try (Connection connection = real.getConnection()) {
      this.isolation =
          connection.getMetaData().supportsTransactionIsolationLevel(isolation)
              ? isolation
              : Connection.TRANSACTION_SERIALIZABLE;
    }
  }

  void tell(Listener told) {
    listener = told;
  }

  /** Returns how connections came back that came back otherwise than they went. */
  List<String> changed() {
    return List.copyOf(changed);
  }

  DataSource dataSource() {
    return LentConnections.of(real, this::lent);
  }

  private Connection lent(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String each : settings.statements()) {
        statement.execute(each);
      }
    }
    connection.setTransactionIsolation(isolation);
    connection.setAutoCommit(autoCommit);
    String before = state(connection);
    return LentConnections.proxy(
        Connection.class,
        (self, method, arguments) -> {
          if (method.getName().equals("close") && !connection.isClosed()) {
            String after = state(connection);
            if (!after.equals(before)) {
              changed.add(before + " became " + after);
            }
          } else if (method.getName().equals("prepareStatement")) {
            listener.told((String) arguments[0]);
          }
          return LentConnections.invoke(connection, method, arguments);
        });
  }

  private String state(Connection connection) throws SQLException {
    String modes =
        "auto-commit "
            + connection.getAutoCommit()
            + ", isolation "
            + connection.getTransactionIsolation();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(settings.shown())) {
      row.next();
      return modes + ", " + row.getString(1);
    } finally {
      if (!connection.getAutoCommit()) {
        connection.rollback();
      }
    }
  }
}
