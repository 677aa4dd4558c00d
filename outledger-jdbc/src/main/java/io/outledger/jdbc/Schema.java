// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Given;
import io.outledger.StoreException;
import io.outledger.jdbc.OwnTransaction.Kind;
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

/**
 * The tables that Outledger needs on PostgreSQL: printed for whoever runs migrations, applied, or
 * checked. At run time no right to change the schema is needed.
 *
 * <p>Thread-safe.
 */
public final class Schema {

  /** The version that this release needs. */
  public static final int VERSION = 1;

  private static final String FOLDER = "/io/outledger/jdbc/postgresql/";
  private static final List<String> SCRIPTS = List.of("V1__ledger.sql");

  private final Tables tables;

  private Schema(Tables tables) {
    this.tables = tables;
  }

  /** Returns the tables in the schema {@code public}. */
  public static Schema postgresql() {
    return postgresql(Tables.DEFAULT_SCHEMA);
  }

  /**
   * Returns the tables in a schema of the given name.
   *
   * @param name a letter or {@code _}, then up to 62 letters, digits or {@code _}; used as it is
   *     written, upper and lower case apart
   * @throws ConfigurationException {@code OUT-006} where it is not a valid name
   */
  public static Schema postgresql(String name) {
    return new Schema(new Tables(name));
  }

  /** Returns the SQL that makes an empty database ready, for a migration tool or a person. */
  public String print() {
    StringBuilder sql = new StringBuilder();
    sql.append(tables.in("CREATE SCHEMA IF NOT EXISTS {schema};\n\n"));
    sql.append(tables.in(VERSION_TABLE)).append(";\n\n");
    for (int version = 1; version <= VERSION; version++) {
      sql.append(script(version)).append('\n').append(tables.in(recorded(version))).append(";\n");
    }
    return sql.toString();
  }

  /**
   * Makes or upgrades the tables, in one transaction. Does nothing where they are up to date; two
   * that apply at the same time wait for each other. After a failure nothing has changed.
   *
   * @throws ConfigurationException {@code OUT-005} where the tables are newer than this release
   * @throws StoreException where the database failed or refused
   */
  public void apply(DataSource dataSource) {
    Given.check("data source", dataSource);
    OwnTransaction.run(
        dataSource, Kind.CHANGES, "applying the schema " + tables.schema(), this::apply);
  }

  /**
   * Checks that the tables are there, in the version that this release needs.
   *
   * @throws ConfigurationException {@code OUT-003} where they are missing, {@code OUT-004} where
   *     they are older, {@code OUT-005} where they are newer
   * @throws StoreException where the database failed
   */
  public void check(DataSource dataSource) {
    Given.check("data source", dataSource);
    OptionalInt version =
        OwnTransaction.run(
            dataSource, Kind.READS, "checking the schema " + tables.schema(), this::versionIn);
    if (version.isEmpty()) {
      throw new ConfigurationException(
          ErrorCode.SCHEMA_MISSING,
          "the tables of Outledger are not in schema \""
              + tables.schema()
              + "\": apply them by Schema.postgresql(\""
              + tables.schema()
              + "\").apply(dataSource), or run what its print() returns");
    }
    refuseNewer(version.getAsInt());
    if (version.getAsInt() < VERSION) {
      throw new ConfigurationException(
          ErrorCode.SCHEMA_OLDER,
          found(version.getAsInt()) + ": apply the missing scripts by Schema.apply(dataSource)");
    }
  }

  private int apply(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      // Appliers wait for each other here; freed with the transaction. The number is ours alone.
      statement.execute(
          "SELECT pg_advisory_xact_lock(8247611, hashtext('outledger." + tables.schema() + "'))");
      int present = versionIn(connection).orElse(0);
      refuseNewer(present);
      if (present == 0) {
        // Not IF NOT EXISTS: that asks for the right to make schemas even where this one is there.
        if (!isThere(connection, "to_regnamespace", tables.in("{schema}"))) {
          statement.execute(tables.in("CREATE SCHEMA {schema}"));
        }
        statement.execute(tables.in(VERSION_TABLE));
      }
      for (int version = present + 1; version <= VERSION; version++) {
        statement.execute(script(version));
        statement.execute(tables.in(recorded(version)));
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

  private void refuseNewer(int version) {
    if (version > VERSION) {
      throw new ConfigurationException(
          ErrorCode.SCHEMA_NEWER,
          found(version) + ": run a release of Outledger that knows it, this one is older");
    }
  }

  private String found(int version) {
    return "the tables in schema \""
        + tables.schema()
        + "\" have version "
        + version
        + ", and this release of Outledger needs version "
        + VERSION;
  }

  private String script(int version) {
    String name = FOLDER + SCRIPTS.get(version - 1);
    try (InputStream in = Objects.requireNonNull(Schema.class.getResourceAsStream(name), name)) {
      return tables.in(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String recorded(int version) {
    return "INSERT INTO {schema}.outledger_schema (version) VALUES (" + version + ")";
  }

  private static final String VERSION_TABLE =
      """
      CREATE TABLE {schema}.outledger_schema (
        version    int PRIMARY KEY,
        applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
      )\
      """;
}
