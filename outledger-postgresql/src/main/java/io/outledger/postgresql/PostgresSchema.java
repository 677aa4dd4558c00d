// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.spi.MissingRow;
import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.sql.SchemaParts;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** PostgreSQL's own of its schema, all of which is made in one transaction. */
final class PostgresSchema implements SchemaParts {

  private static final String ENCODING = "UTF8";

  // Not emptied by TRUNCATE, whose locks the owner's save may meet in the other order.
  private static final Texts TEXTS =
      new Texts(
          List.of("V1__ledger.sql"),
          """
          CREATE TABLE {schema}.outledger_schema (
            version    int PRIMARY KEY,
            applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
          )\
          """,
          "INSERT INTO {schema}.outledger_schema (version) VALUES (%1$s)",
          List.of(
              "outledger_message",
              "outledger_late",
              "outledger_parked",
              "outledger_inbox",
              "outledger_inbox_parked",
              "outledger_saga",
              "outledger_hole_block",
              "outledger_request",
              "outledger_pause",
              "outledger_scheduled"));

  // Appliers wait for each other here; freed with the transaction. The number is ours alone.
  private static final String ONE_BY_ONE =
      "SELECT 1 FROM pg_advisory_xact_lock(8247611, hashtext('outledger.' || ?::text))";

  private static final String RETENTION_ROWS = "SELECT count(*) FROM {schema}.outledger_retention";
  private static final String MAY_READ =
      "SELECT has_table_privilege('{schema}.outledger_retention', 'SELECT')";
  private static final String RESTORE_RETENTION =
      "INSERT INTO {schema}.outledger_retention DEFAULT VALUES";

  private final Tables tables;

  PostgresSchema(Tables tables) {
    this.tables = tables;
  }

  @Override
  public List<String> executed(String script) {
    return List.of(script);
  }

  @Override
  public Texts texts() {
    return TEXTS;
  }

  @Override
  public OperatorTransactions transactions(DataSource dataSource) {
    return PostgresTransactions.over(dataSource);
  }

  @Override
  public OperatorTransactions applying(DataSource dataSource) {
    OperatorTransactions transactions = transactions(dataSource);
    return new OperatorTransactions() {
      @Override
      public <T> T run(Kind kind, String doing, Work<T> work) {
        return transactions.run(
            kind,
            doing,
            connection -> {
              Sql.of(connection, ONE_BY_ONE, tables.schema()).number();
              return work.on(connection);
            });
      }
    };
  }

  @Override
  public void checkServer(Connection connection) throws SQLException {
    Lookalikes.refuse(connection);
    String encoding =
        Sql.of(connection, "SHOW server_encoding").first(row -> row.getString(1)).orElse("");
    if (!ENCODING.equals(encoding)) {
      throw new ConfigurationException(
          ErrorCode.UNSUPPORTED_DATABASE,
          "the database's encoding is "
              + encoding
              + " but must be "
              + ENCODING
              + "; use another database");
    }
  }

  @Override
  public boolean isThere(Connection connection, String table) throws SQLException {
    return isThere(connection, "to_regclass", tables.in("{schema}." + table));
  }

  private static boolean isThere(Connection connection, String function, String name)
      throws SQLException {
    return Sql.of(connection, "SELECT " + function + "(?) IS NOT NULL", name)
        .first(row -> row.getBoolean(1))
        .orElse(false);
  }

  @Override
  public boolean isEmptied(Connection connection) throws SQLException {
    return isThere(connection, "outledger_message");
  }

  /** Not IF NOT EXISTS: that asks for the right to make schemas even where this one is there. */
  @Override
  public void makeSchema(Connection connection) throws SQLException {
    if (!isThere(connection, "to_regnamespace", tables.in("{schema}"))) {
      Sql.of(connection, tables.in("CREATE SCHEMA {schema}")).update();
    }
  }

  @Override
  public void restoreRows(Connection connection) throws SQLException {
    if (Sql.of(connection, tables.in(RETENTION_ROWS)).number() == 0) {
      Sql.of(connection, tables.in(RESTORE_RETENTION)).update();
    }
  }

  @Override
  public void requireRows(Connection connection) throws SQLException {
    boolean mayRead =
        Sql.of(connection, tables.in(MAY_READ)).first(row -> row.getBoolean(1)).orElse(false);
    if (mayRead) {
      requireRows(connection, tables);
    }
  }

  /**
   * Checks that nobody has removed the row that the schema inserts.
   *
   * @throws ConfigurationException {@code OUT-003} if it is missing
   */
  static void requireRows(Connection connection, Tables tables) throws SQLException {
    if (Sql.of(connection, tables.in(RETENTION_ROWS)).number() == 0) {
      throw MissingRow.of("outledger_retention");
    }
  }
}
