// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.spi.LedgerSchema;
import io.outledger.jdbc.spi.MissingRow;
import io.outledger.jdbc.spi.SchemaVersion;
import io.outledger.postgresql.OwnTransaction.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import javax.sql.DataSource;

/** The tables in one schema, made in one transaction by numbered scripts. */
final class PostgresSchema implements LedgerSchema {

  private static final int VERSION = 1;
  private static final String FOLDER = "/io/outledger/postgresql/";
  private static final List<String> SCRIPTS = List.of("V1__ledger.sql");
  private static final String ENCODING = "UTF8";
  private static final String LEDGER = "{schema}.outledger_message";

  private static final String VERSION_TABLE =
      """
      CREATE TABLE {schema}.outledger_schema (
        version    int PRIMARY KEY,
        applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
      )\
      """;

  private static final String HAS_RETENTION = "SELECT count(*) FROM {schema}.outledger_retention";
  private static final String MAY_READ =
      "SELECT has_table_privilege('{schema}.outledger_retention', 'SELECT')";
  private static final String RESTORE_RETENTION =
      "INSERT INTO {schema}.outledger_retention DEFAULT VALUES";

  // Not by TRUNCATE, whose locks the owner's save may meet in the other order.
  private static final List<String> EMPTIED =
      List.of("message", "late", "parked", "inbox", "inbox_parked", "hole_block");
  private static final String ALL_PURGED =
      "UPDATE {schema}.outledger_retention SET purged_to = " + LedgerIdentity.LAST_NUMBER;

  private final Tables tables;
  private final SchemaVersion version;

  PostgresSchema(Tables tables) {
    this.tables = tables;
    this.version = new SchemaVersion(tables.schema(), VERSION);
  }

  @Override
  public String print() {
    StringBuilder sql = new StringBuilder();
    sql.append(tables.in("CREATE SCHEMA IF NOT EXISTS {schema};\n\n"));
    sql.append(tables.in(VERSION_TABLE)).append(";\n\n");
    for (int next = 1; next <= VERSION; next++) {
      sql.append(script(next)).append('\n').append(tables.in(recorded(next))).append(";\n");
    }
    return sql.toString();
  }

  @Override
  public void apply(DataSource dataSource) {
    OwnTransaction.run(
        dataSource, Kind.CHANGES, "applying the schema " + tables.schema(), this::apply);
  }

  @Override
  public void check(DataSource dataSource) {
    OwnTransaction.run(
        dataSource,
        Kind.READS,
        "checking the schema " + tables.schema(),
        connection -> {
          checkEncoding(connection);
          version.require(versionIn(connection));
          if (mayRead(connection)) {
            requireRows(connection, tables);
          }
          return VERSION;
        });
  }

  @Override
  public void empty(DataSource dataSource) {
    OwnTransaction.run(
        dataSource,
        Kind.CHANGES,
        "emptying the tables in schema " + tables.schema(),
        connection -> {
          LedgerIdentity.lockPurgedTo(connection, tables);
          try (Statement statement = connection.createStatement()) {
            for (String table : EMPTIED) {
              statement.execute(tables.in("DELETE FROM {schema}.outledger_" + table));
            }
            return statement.executeUpdate(tables.in(ALL_PURGED));
          }
        });
  }

  /**
   * Checks that nobody has removed the row that the schema inserts.
   *
   * @throws ConfigurationException {@code OUT-003} if it is missing
   */
  static void requireRows(Connection connection, Tables tables) throws SQLException {
    if (!hasRetention(connection, tables)) {
      throw MissingRow.of("outledger_retention");
    }
  }

  /** Returns whether the role works with the row, as a writer does not. */
  private boolean mayRead(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(tables.in(MAY_READ))) {
      return row.next() && row.getBoolean(1);
    }
  }

  private static boolean hasRetention(Connection connection, Tables tables) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(tables.in(HAS_RETENTION))) {
      return row.next() && row.getLong(1) > 0;
    }
  }

  private static void checkEncoding(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW server_encoding")) {
      row.next();
      if (!ENCODING.equals(row.getString(1))) {
        throw new ConfigurationException(
            ErrorCode.UNSUPPORTED_DATABASE,
            "the database's encoding is "
                + row.getString(1)
                + " but must be "
                + ENCODING
                + "; use another database");
      }
    }
  }

  private int apply(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      // Appliers wait for each other here; freed with the transaction. The number is ours alone.
      statement.execute(
          "SELECT pg_advisory_xact_lock(8247611, hashtext('outledger." + tables.schema() + "'))");
      int present = versionIn(connection).orElse(0);
      version.refuseNewer(present);
      if (present == 0 && isThere(connection, "to_regclass", tables.in(LEDGER))) {
        statement.execute(tables.in(recorded(1))); // somebody has emptied all tables
        present = 1;
      }
      if (present == 0) {
        // Not IF NOT EXISTS: that asks for the right to make schemas even where this one is there.
        if (!isThere(connection, "to_regnamespace", tables.in("{schema}"))) {
          statement.execute(tables.in("CREATE SCHEMA {schema}"));
        }
        statement.execute(tables.in(VERSION_TABLE));
      }
      for (int next = present + 1; next <= VERSION; next++) {
        statement.execute(script(next));
        statement.execute(tables.in(recorded(next)));
      }
      if (!hasRetention(connection, tables)) {
        statement.execute(tables.in(RESTORE_RETENTION));
      }
      return present;
    }
  }

  private OptionalInt versionIn(Connection connection) throws SQLException {
    if (!isThere(connection, "to_regclass", tables.in("{schema}.outledger_schema"))) {
      return OptionalInt.empty();
    }
    // The primary key, one step from its end.
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                tables.in("SELECT coalesce(max(version), 0) FROM {schema}.outledger_schema"))) {
      row.next();
      return OptionalInt.of(row.getInt(1));
    }
  }

  private static boolean isThere(Connection connection, String function, String name)
      throws SQLException {
    String sql = "SELECT " + function + "(?) IS NOT NULL";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, name);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }

  private String script(int number) {
    String name = FOLDER + SCRIPTS.get(number - 1);
    try (InputStream in =
        Objects.requireNonNull(PostgresSchema.class.getResourceAsStream(name), name)) {
      return tables.in(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String recorded(int number) {
    return "INSERT INTO {schema}.outledger_schema (version) VALUES (" + number + ")";
  }
}
