// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.LedgerSchema;
import io.outledger.jdbc.spi.MissingRow;
import io.outledger.jdbc.spi.SchemaVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;

/**
 * The tables in one schema, made by numbered scripts. H2 commits with each statement that makes a
 * table, so every statement of a script does nothing where it was executed before.
 */
final class H2Schema implements LedgerSchema {

  private static final int VERSION = 1;
  private static final String FOLDER = "/io/outledger/h2/";
  private static final List<String> SCRIPTS = List.of("V1__ledger.sql");
  private static final String RACE = "40001";
  private static final ReentrantLock ONE_BY_ONE = new ReentrantLock();

  /** What somebody meets who makes the same at the same time: schema, sequence, table, index. */
  private static final List<Integer> MADE_BY_ANOTHER = List.of(90078, 90035, 42101, 42111, 90038);

  private static final String VERSION_TABLE =
      """
      CREATE TABLE IF NOT EXISTS {schema}.outledger_schema (
        version    INTEGER PRIMARY KEY,
        applied_at TIMESTAMP WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL
      )\
      """;

  private static final String RETENTION_ROWS = "SELECT COUNT(*) FROM {schema}.outledger_retention";
  private static final String KEY_ROWS = "SELECT COUNT(*) FROM {schema}.outledger_key_lock";

  /** The rows that the script inserts, where they are missing. */
  private static final List<String> RESTORE =
      List.of(
          """
          INSERT INTO {schema}.outledger_retention (one, purged_to)
          SELECT TRUE, 0 WHERE NOT EXISTS (SELECT 1 FROM {schema}.outledger_retention)\
          """,
          """
          INSERT INTO {schema}.outledger_key_lock (slot)
          SELECT r."X" FROM SYSTEM_RANGE(0, 63) r
           WHERE NOT EXISTS (SELECT 1 FROM {schema}.outledger_key_lock k WHERE k.slot = r."X")\
          """);

  private static final List<String> EMPTIED =
      List.of("message", "parked", "inbox", "inbox_parked", "hole");

  private static final String IS_THERE =
      """
      SELECT COUNT(*) FROM INFORMATION_SCHEMA.TABLES t
       WHERE t.TABLE_SCHEMA = ? AND UPPER(t.TABLE_NAME) = 'OUTLEDGER_SCHEMA'\
      """;

  private final Tables tables;
  private final SchemaVersion version;

  H2Schema(Tables tables) {
    this.tables = tables;
    this.version = new SchemaVersion(tables.schema(), VERSION);
  }

  @Override
  public String print() {
    StringBuilder sql = new StringBuilder();
    sql.append(tables.in("CREATE SCHEMA IF NOT EXISTS {schema};\n\n"));
    sql.append(tables.in(VERSION_TABLE)).append(";\n\n");
    for (int next = 1; next <= VERSION; next++) {
      sql.append(script(next)).append('\n').append(recorded(next)).append(";\n");
    }
    return sql.toString();
  }

  /** Appliers of one process go one by one: H2 fails inside where two make the same index. */
  @Override
  public void apply(DataSource dataSource) {
    ONE_BY_ONE.lock();
    try {
      OwnTransaction.run(dataSource, "applying the schema " + tables.schema(), this::apply);
    } finally {
      ONE_BY_ONE.unlock();
    }
  }

  @Override
  public void check(DataSource dataSource) {
    OwnTransaction.run(
        dataSource,
        "checking the schema " + tables.schema(),
        connection -> {
          H2Settings.check(connection);
          version.require(versionIn(connection));
          requireRowsThatMayBeRead(connection);
          return VERSION;
        });
  }

  /** A user who only writes messages does not work with the rows, and may not read them. */
  private void requireRowsThatMayBeRead(Connection connection) throws SQLException {
    try {
      requireRows(connection, tables);
    } catch (SQLException e) {
      if (H2Errors.TABLE.classOf(e) != ErrorClass.RIGHT_MISSING) {
        throw e;
      }
    }
  }

  @Override
  public void empty(DataSource dataSource) {
    OwnTransaction.run(
        dataSource,
        "emptying the tables in schema " + tables.schema(),
        connection -> {
          Ledger ledger = new Ledger(tables);
          ledger.lockRetention(connection);
          for (String table : EMPTIED) {
            Sql.of(connection, tables.in("DELETE FROM {schema}.outledger_" + table)).update();
          }
          ledger.purged(connection, ledger.lastNumber(connection));
          return VERSION;
        });
  }

  /**
   * Checks that nobody has removed rows that the schema inserts.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-003} if one is missing
   */
  static void requireRows(Connection connection, Tables tables) throws SQLException {
    if (Sql.of(connection, tables.in(RETENTION_ROWS)).number() == 0) {
      throw MissingRow.of("outledger_retention");
    }
    if (Sql.of(connection, tables.in(KEY_ROWS)).number() < KeyRows.SLOTS) {
      throw MissingRow.of("outledger_key_lock");
    }
  }

  private int apply(Connection connection) throws SQLException {
    H2Settings.check(connection);
    int present = versionIn(connection).orElse(0);
    version.refuseNewer(present);
    try (Statement statement = connection.createStatement()) {
      if (present == 0) {
        statement.execute(tables.in("CREATE SCHEMA IF NOT EXISTS {schema}"));
        statement.execute(tables.in(VERSION_TABLE));
      }
      for (int next = present + 1; next <= VERSION; next++) {
        statement.execute(script(next));
        statement.execute(recorded(next));
      }
      if (present > 0) {
        for (String rows : RESTORE) {
          Sql.of(connection, tables.in(rows)).update();
        }
      }
      return present;
    } catch (SQLException e) {
      if (MADE_BY_ANOTHER.contains(e.getErrorCode()) || H2Errors.isDuplicate(e)) {
        throw new SQLTransactionRollbackException(
            "another session is applying the schema " + tables.schema(), RACE, e);
      }
      throw e;
    }
  }

  private OptionalInt versionIn(Connection connection) throws SQLException {
    if (Sql.of(connection, IS_THERE, tables.schema()).number() == 0) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(
        (int)
            Sql.of(connection, tables.in("SELECT MAX(version) FROM {schema}.outledger_schema"))
                .number());
  }

  private String script(int number) {
    String name = FOLDER + SCRIPTS.get(number - 1);
    try (InputStream in = Objects.requireNonNull(H2Schema.class.getResourceAsStream(name), name)) {
      return tables.in(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String recorded(int number) {
    return tables.in(
        """
        INSERT INTO {schema}.outledger_schema (version)
        SELECT %1$s WHERE NOT EXISTS (
          SELECT 1 FROM {schema}.outledger_schema s WHERE s.version = %1$s)\
        """
            .formatted(number));
  }
}
