// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.MissingRow;
import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.sql.KeyRowsBySql;
import io.outledger.jdbc.sql.SchemaParts;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;

/**
 * H2's own of its schema. H2 commits with each statement that makes a table, so every statement of
 * a script does nothing where it was executed before.
 */
final class H2Schema implements SchemaParts {

  private static final ReentrantLock ONE_BY_ONE = new ReentrantLock();

  /** What somebody meets who makes the same at the same time: schema, sequence, table, index. */
  private static final List<Integer> MADE_BY_ANOTHER = List.of(90078, 90035, 42101, 42111, 90038);

  private static final Texts TEXTS =
      new Texts(
          List.of("V1__ledger.sql"),
          """
          CREATE TABLE IF NOT EXISTS {schema}.outledger_schema (
            version    INTEGER PRIMARY KEY,
            applied_at TIMESTAMP WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL
          )\
          """,
          """
          INSERT INTO {schema}.outledger_schema (version)
          SELECT %1$s WHERE NOT EXISTS (
            SELECT 1 FROM {schema}.outledger_schema s WHERE s.version = %1$s)\
          """,
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
  private static final String KEY_ROWS = "SELECT COUNT(*) FROM {schema}.outledger_key_lock";
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

  private static final String IS_THERE =
      """
      SELECT COUNT(*) FROM INFORMATION_SCHEMA.TABLES t
       WHERE t.TABLE_SCHEMA = ? AND UPPER(t.TABLE_NAME) = UPPER(?)\
      """;

  private final Tables tables;

  H2Schema(Tables tables) {
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
    return H2Transactions.over(dataSource);
  }

  /** Appliers of one process go one by one: H2 fails inside where two make the same index. */
  @Override
  public OperatorTransactions applying(DataSource dataSource) {
    OperatorTransactions transactions =
        H2Transactions.over(
            dataSource,
            e ->
                MADE_BY_ANOTHER.contains(e.getErrorCode()) || H2Errors.isDuplicate(e)
                    ? ErrorClass.RACE
                    : H2Errors.TABLE.classOf(e));
    return new OperatorTransactions() {
      @Override
      public <T> T run(Kind kind, String doing, Work<T> work) {
        ONE_BY_ONE.lock();
        try {
          return transactions.run(kind, doing, work);
        } finally {
          ONE_BY_ONE.unlock();
        }
      }
    };
  }

  @Override
  public void checkServer(Connection connection) throws SQLException {
    H2Settings.check(connection);
  }

  @Override
  public boolean isThere(Connection connection, String table) throws SQLException {
    return isIn(connection, tables.schema(), table);
  }

  /** Returns whether a schema has the tables. */
  static boolean isIn(Connection connection, String schema) throws SQLException {
    return isIn(connection, schema, "outledger_schema");
  }

  private static boolean isIn(Connection connection, String schema, String table)
      throws SQLException {
    return Sql.of(connection, IS_THERE, schema, table).number() > 0;
  }

  /** Nobody can say: tables are there after a failure, too, and not all of them. */
  @Override
  public boolean isEmptied(Connection connection) {
    return false;
  }

  @Override
  public void makeSchema(Connection connection) throws SQLException {
    Sql.of(connection, tables.in("CREATE SCHEMA IF NOT EXISTS {schema}")).update();
  }

  @Override
  public void restoreRows(Connection connection) throws SQLException {
    for (String rows : RESTORE) {
      Sql.of(connection, tables.in(rows)).update();
    }
  }

  @Override
  public void requireRows(Connection connection) throws SQLException {
    try {
      requireRows(connection, tables);
    } catch (SQLException e) {
      if (H2Errors.TABLE.classOf(e) != ErrorClass.RIGHT_MISSING) {
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
    if (Sql.of(connection, tables.in(RETENTION_ROWS)).number() == 0) {
      throw MissingRow.of("outledger_retention");
    }
    if (Sql.of(connection, tables.in(KEY_ROWS)).number() < KeyRowsBySql.SLOTS) {
      throw MissingRow.of("outledger_key_lock");
    }
  }
}
