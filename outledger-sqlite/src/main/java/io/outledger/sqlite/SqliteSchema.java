// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import io.outledger.jdbc.spi.MissingRow;
import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.sql.SchemaParts;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** SQLite's own of its schema. All of a script is made in one transaction. */
record SqliteSchema(Tables tables) implements SchemaParts {

  private static final Texts TEXTS =
      new Texts(
          List.of("V1__ledger.sql"),
          """
          CREATE TABLE IF NOT EXISTS {schema}.outledger_schema (
            version    INTEGER PRIMARY KEY,
            applied_at INTEGER DEFAULT {now} NOT NULL
          )\
          """,
          "INSERT INTO {schema}.outledger_schema (version) VALUES (%1$s) ON CONFLICT DO NOTHING",
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

  private static final String RETENTION_ROWS = "SELECT COUNT(*) FROM {schema}.outledger_retention";
  private static final String SERVER_ROWS = "SELECT COUNT(*) FROM {schema}.outledger_server";
  private static final List<String> RESTORE =
      List.of(
          """
          INSERT INTO {schema}.outledger_retention (one, purged_to) VALUES (TRUE, 0)
              ON CONFLICT DO NOTHING\
          """,
          """
          INSERT INTO {schema}.outledger_server (one, ledger_id) VALUES (TRUE, randomblob(16))
              ON CONFLICT DO NOTHING\
          """);

  private static final String IS_THERE =
      "SELECT COUNT(*) FROM {schema}.sqlite_master t WHERE t.type = 'table' AND t.name = ?";

  @Override
  public Texts texts() {
    return TEXTS;
  }

  /** Paragraphs, each a statement: one that makes a trigger contains others. */
  @Override
  public List<String> executed(String script) {
    return Stream.of(script.split("\n\n")).filter(part -> part.contains(";")).toList();
  }

  @Override
  public OperatorTransactions transactions(DataSource dataSource) {
    return SqliteTransactions.over(dataSource);
  }

  @Override
  public OperatorTransactions applying(DataSource dataSource) {
    return SqliteTransactions.over(dataSource);
  }

  @Override
  public void checkServer(Connection connection) throws SQLException {
    SqliteSettings.check(connection);
  }

  @Override
  public boolean isThere(Connection connection, String table) throws SQLException {
    return Sql.in(tables, connection, IS_THERE, table).number() > 0;
  }

  /** No script does anything where it was executed before. */
  @Override
  public boolean isEmptied(Connection connection) {
    return false;
  }

  @Override
  public String schemaText() {
    return "";
  }

  @Override
  public void makeSchema(Connection connection) {
    // It is the file.
  }

  @Override
  public void restoreRows(Connection connection) throws SQLException {
    for (String rows : RESTORE) {
      Sql.in(tables, connection, rows).update();
    }
  }

  @Override
  public void requireRows(Connection connection) throws SQLException {
    requireRows(connection, tables);
  }

  /**
   * Checks that nobody has removed rows that the schema inserts.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-003} if one is missing
   */
  static void requireRows(Connection connection, Tables tables) throws SQLException {
    if (Sql.in(tables, connection, RETENTION_ROWS).number() == 0) {
      throw MissingRow.of("outledger_retention");
    }
    if (Sql.in(tables, connection, SERVER_ROWS).number() == 0) {
      throw MissingRow.of("outledger_server");
    }
  }
}
