// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.MissingRow;
import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.sql.Gate;
import io.outledger.jdbc.sql.KeyRowsBySql;
import io.outledger.jdbc.sql.SchemaParts;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/**
 * Its own of the schema. Each statement that makes a table commits, so every statement of a script
 * does nothing where it was executed before.
 */
final class MySqlSchema implements SchemaParts {

  private static final Texts TEXTS =
      new Texts(
          List.of("V1__ledger.sql"),
          """
          CREATE TABLE IF NOT EXISTS {schema}.outledger_schema (
            version    INTEGER NOT NULL PRIMARY KEY,
            applied_at TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)
          ) {table}\
          """,
          "INSERT IGNORE INTO {schema}.outledger_schema (version) VALUES (%1$s)",
          List.of(
              "outledger_message",
              "outledger_parked",
              "outledger_inbox",
              "outledger_inbox_parked",
              "outledger_saga",
              "outledger_hole",
              "outledger_request",
              "outledger_pause",
              "outledger_scheduled"));

  // One of them at a time, on the whole server.
  private static final String LOCK = "SELECT GET_LOCK('outledger.schema', 5)";
  private static final String UNLOCK = "SELECT RELEASE_LOCK('outledger.schema')";

  // Whose it is only those see who may see all sessions.
  private static final String HOLDER =
      """
      SELECT COALESCE(l.id, 0), COALESCE(p.USER, '?'), COALESCE(p.HOST, '?')
        FROM (SELECT IS_USED_LOCK('outledger.schema') AS id) l
        LEFT JOIN information_schema.PROCESSLIST p ON p.ID = l.id\
      """;

  private static final String RETENTION_ROWS = "SELECT COUNT(*) FROM {schema}.outledger_retention";
  private static final String KEY_ROWS = "SELECT COUNT(*) FROM {schema}.outledger_key_lock";
  private static final String GATE_ROWS =
      "SELECT COUNT(*) FROM {schema}.outledger_gate g WHERE g.slot BETWEEN 0 AND 15";

  private static final List<String> RESTORE =
      List.of(
          """
          INSERT IGNORE INTO {schema}.outledger_gate (slot) VALUES
            (0), (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12), (13), (14), (15)\
          """,
          "INSERT IGNORE INTO {schema}.outledger_retention (one, purged_to) VALUES (TRUE, 0)",
          """
          INSERT IGNORE INTO {schema}.outledger_key_lock (slot)
          SELECT g.slot * 4 + r.n FROM {schema}.outledger_gate g
            JOIN (SELECT 0 AS n UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3) r ON TRUE\
          """);

  private static final String IS_THERE =
      """
      SELECT COUNT(*) FROM information_schema.TABLES t
       WHERE t.TABLE_SCHEMA = ? AND t.TABLE_NAME = ?\
      """;
  private static final String IS_SCHEMA =
      "SELECT COUNT(*) FROM information_schema.SCHEMATA s WHERE s.SCHEMA_NAME = {name}";

  private final Tables tables;

  MySqlSchema(Tables tables) {
    this.tables = tables;
  }

  /** A driver takes one statement at a time, unless it is told otherwise. */
  @Override
  public List<String> executed(String script) {
    return statements(script);
  }

  @Override
  public List<String> repairs(Connection connection, String script) throws SQLException {
    return Views.areBroken(connection, tables, script) ? Views.made(script) : List.of();
  }

  @Override
  public void requireViews(Connection connection, String script) throws SQLException {
    Views.require(connection, tables, script);
  }

  static List<String> statements(String script) {
    return List.of(script.strip().split(";\\s*\\n|;$"));
  }

  @Override
  public Texts texts() {
    return TEXTS;
  }

  @Override
  public OperatorTransactions transactions(DataSource dataSource) {
    return MySqlTransactions.over(dataSource, tables.product());
  }

  @Override
  public OperatorTransactions applying(DataSource dataSource) {
    OperatorTransactions transactions = transactions(dataSource);
    return new OperatorTransactions() {
      @Override
      public <T> T run(Kind kind, String doing, Work<T> work) {
        return transactions.run(kind, doing, connection -> locked(connection, work));
      }
    };
  }

  private <T> T locked(Connection connection, OperatorTransactions.Work<T> work)
      throws SQLException {
    if (Sql.in(tables, connection, LOCK).number() != 1) {
      throw new SQLException("a schema is being applied by " + holder(connection), "40001");
    }
    try {
      return work.on(connection);
    } finally {
      Sql.in(tables, connection, UNLOCK).number();
    }
  }

  private String holder(Connection connection) throws SQLException {
    return Sql.in(tables, connection, HOLDER)
        .first(
            row ->
                "connection %s of %s at %s"
                    .formatted(row.getLong(1), row.getString(2), row.getString(3)))
        .orElse("another connection");
  }

  @Override
  public void checkServer(Connection connection) throws SQLException {
    MySqlSettings.check(connection, tables);
  }

  @Override
  public boolean isThere(Connection connection, String table) throws SQLException {
    return Sql.in(tables, connection, IS_THERE, tables.schema(), table).number() > 0;
  }

  /** Nobody can say: tables are there after a failure, too, and not all of them. */
  @Override
  public boolean isEmptied(Connection connection) {
    return false;
  }

  @Override
  public void makeSchema(Connection connection) throws SQLException {
    if (Sql.in(tables, connection, IS_SCHEMA).number() == 0) {
      Sql.in(tables, connection, "CREATE DATABASE IF NOT EXISTS {schema}").update();
    }
  }

  @Override
  public void restoreRows(Connection connection) throws SQLException {
    for (String rows : RESTORE) {
      Sql.in(tables, connection, rows).update();
    }
  }

  @Override
  public void requireRows(Connection connection) throws SQLException {
    try {
      requireRows(connection, tables);
    } catch (SQLException e) {
      if (MySqlErrors.TABLE.classOf(e) != ErrorClass.RIGHT_MISSING) {
        throw e;
      }
    }
  }

  /**
   * Checks that nobody has removed rows that the schema inserts.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-003} if one is missing
   */
  static void requireRows(Connection connection, Tables tables) throws SQLException {
    if (Sql.in(tables, connection, GATE_ROWS).number() < Gate.SLOTS) {
      throw MissingRow.of("outledger_gate");
    }
    if (Sql.in(tables, connection, RETENTION_ROWS).number() == 0) {
      throw MissingRow.of("outledger_retention");
    }
    if (Sql.in(tables, connection, KEY_ROWS).number() < KeyRowsBySql.SLOTS) {
      throw MissingRow.of("outledger_key_lock");
    }
  }
}
