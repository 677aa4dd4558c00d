// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.spi.OperatorTransactions.Kind;
import io.outledger.jdbc.sql.OwnTransactions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.sql.DataSource;

/** What our transactions rely on: it is set for the whole session, and set back. */
record MySqlTransactions(Product product) implements OwnTransactions.Stated {

  /** How long a lock is waited for. */
  static final int LOCK_TIMEOUT_SECONDS = 30;

  /**
   * All by which a statement of ours could mean something else, end early, or fail, beside the
   * isolation. What a pool, a user or the server has set does not count.
   */
  private static final List<String> STATED =
      List.of(
          "innodb_lock_wait_timeout = " + LOCK_TIMEOUT_SECONDS,
          // Strict, and each character means what it means in the standard installation.
          "sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'",
          // An UPDATE may change all rows, and a SELECT returns all, however many it has read.
          "sql_safe_updates = 0",
          "sql_select_limit = 18446744073709551615",
          "sql_big_selects = 1",
          // Keys are unique, and attempts go with the row that they belong to.
          "unique_checks = 1",
          "foreign_key_checks = 1",
          // Nothing is the row that was inserted last.
          "sql_auto_is_null = 0",
          // A commit neither begins another transaction nor ends the session.
          "completion_type = 'NO_CHAIN'");

  static OperatorTransactions over(DataSource dataSource, Product product) {
    return new OwnTransactions(dataSource, MySqlErrors.TABLE, new MySqlTransactions(product));
  }

  /** What a session was set to. */
  private record Modes(boolean autoCommit, boolean readOnly, int isolation, String settings) {

    /**
     * Sets a connection as it was, after our last transaction. One that could not even be rolled
     * back stays as it is: to change its modes would commit.
     */
    void setAgain(Connection connection) throws SQLException {
      if (!connection.isClosed() && connection.getAutoCommit()) {
        execute(connection, settings);
        connection.setTransactionIsolation(isolation);
        connection.setReadOnly(readOnly);
        connection.setAutoCommit(autoCommit);
      }
    }
  }

  /** Sets a connection as our transactions need it, and returns what sets it back. */
  static OwnTransactions.Undo set(Connection connection, Product product) throws SQLException {
    boolean autoCommit = connection.getAutoCommit();
    if (!autoCommit) {
      connection.rollback();
      connection.setAutoCommit(true);
    }
    List<String> settings = settings(product);
    Modes before =
        new Modes(
            autoCommit,
            connection.isReadOnly(),
            connection.getTransactionIsolation(),
            before(connection, settings));
    connection.setReadOnly(false);
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    execute(connection, "SET SESSION " + String.join(", ", settings));
    return before::setAgain;
  }

  private static List<String> settings(Product product) {
    List<String> all = new ArrayList<>(STATED);
    all.addAll(product.session());
    return all;
  }

  /** Returns the statement that sets them as they are. */
  private static String before(Connection connection, List<String> settings) throws SQLException {
    List<String> names =
        settings.stream().map(each -> each.substring(0, each.indexOf(" "))).toList();
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT @@SESSION." + String.join(", @@SESSION.", names))) {
      row.next();
      List<String> all = new ArrayList<>();
      for (int i = 0; i < names.size(); i++) {
        all.add(names.get(i) + " = " + literal(row.getString(i + 1)));
      }
      return "SET SESSION " + String.join(", ", Collections.unmodifiableList(all));
    }
  }

  private static String literal(String value) {
    return value.matches("[0-9.]+") ? value : "'" + value.replace("'", "''") + "'";
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public OwnTransactions.Undo before(Connection connection, Kind kind) throws SQLException {
    return set(connection, product);
  }

  @Override
  public void within(Connection transaction, Kind kind) {
    // The session has it already.
  }
}
