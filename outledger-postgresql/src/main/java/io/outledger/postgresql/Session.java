// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.sql.OwnTransactions;
import io.outledger.jdbc.sql.RelaySession;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/**
 * A connection kept for long, in auto-commit mode, with its settings and prepared statements. What
 * it set is set back before the connection returns to its pool. Not thread-safe.
 */
final class Session implements RelaySession {

  private final Connection connection;
  private final Modes modes;
  private final Map<String, String> before;
  private final Map<String, PreparedStatement> statements = new HashMap<>();

  private Session(Connection connection, Modes modes, Map<String, String> before) {
    this.connection = connection;
    this.modes = modes;
    this.before = before;
  }

  /** What the connection was set to when it came, apart from the server's settings. */
  private record Modes(boolean autoCommit, boolean readOnly, int networkTimeoutMillis) {

    static Modes of(Connection connection) throws SQLException {
      return new Modes(
          connection.getAutoCommit(), connection.isReadOnly(), connection.getNetworkTimeout());
    }

    void restore(Connection connection) throws SQLException {
      connection.setReadOnly(readOnly);
      connection.setAutoCommit(autoCommit);
      connection.setNetworkTimeout(Runnable::run, networkTimeoutMillis);
    }
  }

  /** Opens one; nothing stays open where that fails. */
  static Session open(DataSource dataSource, SessionSettings settings) throws SQLException {
    Connection connection = dataSource.getConnection();
    try {
      Modes modes = Modes.of(connection);
      if (!modes.autoCommit()) {
        connection.rollback();
      }
      connection.setNetworkTimeout(Runnable::run, settings.networkTimeoutMillis());
      connection.setAutoCommit(true);
      connection.setReadOnly(false);
      Map<String, String> values = settings.on(connection.getMetaData().getDatabaseMajorVersion());
      Map<String, String> before = show(connection, values.keySet());
      set(connection, values);
      return new Session(connection, modes, before);
    } catch (SQLException e) {
      closeAfter(e, connection);
      throw e;
    } catch (Throwable e) {
      abortAfter(e, connection);
      throw e;
    }
  }

  @Override
  public Connection connection() {
    return connection;
  }

  /** Returns the prepared statement of a text, prepared once. */
  PreparedStatement prepare(String sql) throws SQLException {
    PreparedStatement statement = statements.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      statements.put(sql, statement);
    }
    return statement;
  }

  /** Returns the same for a statement that brings many rows, each time. */
  PreparedStatement prepareForPages(String sql) throws SQLException {
    boolean isKnown = statements.containsKey(sql);
    PreparedStatement statement = prepare(sql);
    if (!isKnown) {
      PostgresDriver.prepareAtOnce(statement);
    }
    return statement;
  }

  Array array(Collection<String> values) throws SQLException {
    return connection.createArrayOf("text", values.toArray());
  }

  Array array(long[] values) throws SQLException {
    return array(connection, values);
  }

  static Array array(Connection connection, long[] values) throws SQLException {
    Long[] boxed = new Long[values.length];
    for (int i = 0; i < values.length; i++) {
      boxed[i] = values[i];
    }
    return connection.createArrayOf("int8", boxed);
  }

  /** Runs work in one transaction, with what it needs in place of the session's settings. */
  <T> T inTransaction(OperatorTransactions.Kind kind, OperatorTransactions.Work<T> work)
      throws SQLException {
    return OwnTransactions.on(connection, PostgresTransactions.STATED, kind, work);
  }

  @Override
  public void abortAfter(Throwable failure) {
    abortAfter(failure, connection);
  }

  @Override
  public void close() throws SQLException {
    try (Connection closing = connection) {
      if (closing.isClosed()) {
        return;
      }
      for (PreparedStatement statement : statements.values()) {
        statement.close();
      }
      set(closing, before);
      modes.restore(closing);
    }
  }

  private static void abortAfter(Throwable failure, Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
    closeAfter(failure, connection);
  }

  private static void closeAfter(Throwable failure, Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }

  private static Map<String, String> show(Connection connection, Collection<String> names)
      throws SQLException {
    List<String> calls = Collections.nCopies(names.size(), "current_setting(?)");
    Map<String, String> values = new HashMap<>();
    try (PreparedStatement statement = select(connection, calls)) {
      int at = 1;
      for (String name : names) {
        statement.setString(at++, name);
      }
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        at = 1;
        for (String name : names) {
          values.put(name, row.getString(at++));
        }
      }
    }
    return values;
  }

  private static void set(Connection connection, Map<String, String> values) throws SQLException {
    List<String> calls = Collections.nCopies(values.size(), "set_config(?, ?, false)");
    try (PreparedStatement statement = select(connection, calls)) {
      int at = 1;
      for (Map.Entry<String, String> setting : values.entrySet()) {
        statement.setString(at++, setting.getKey());
        statement.setString(at++, setting.getValue());
      }
      statement.executeQuery().close();
    }
  }

  private static PreparedStatement select(Connection connection, List<String> calls)
      throws SQLException {
    return connection.prepareStatement("SELECT " + String.join(", ", calls));
  }
}
