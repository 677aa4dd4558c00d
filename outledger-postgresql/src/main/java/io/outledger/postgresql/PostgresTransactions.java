// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.spi.OperatorTransactions.Kind;
import io.outledger.jdbc.sql.OwnTransactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * What our transactions rely on, on PostgreSQL. Each states it for itself alone, so nothing has to
 * be set back before the connection returns to its pool, apart from how long an answer is waited
 * for.
 */
final class PostgresTransactions implements OwnTransactions.Stated {

  static final PostgresTransactions STATED = new PostgresTransactions();

  /** How much longer than its statement's limit an answer of the server is waited for. */
  static final Duration NETWORK_MARGIN = Duration.ofSeconds(5);

  /** The first major version that limits transactions. */
  static final int TRANSACTION_TIMEOUT_SINCE = 17;

  // One round trip. A process that is frozen in the middle holds its locks for 30 s at most.
  private static final String BEGIN =
      """
      SET TRANSACTION ISOLATION LEVEL READ COMMITTED, %s;
      SET LOCAL statement_timeout = %s;
      SET LOCAL lock_timeout = 30000;
      SET LOCAL idle_in_transaction_session_timeout = 30000;
      SET LOCAL synchronous_commit = on;
      SET LOCAL row_security = off;
      SET LOCAL search_path = pg_catalog%s\
      """;

  private static final String NO_TRANSACTION_TIMEOUT = ";\nSET LOCAL transaction_timeout = 0";

  private PostgresTransactions() {}

  static OperatorTransactions over(DataSource dataSource) {
    return new OwnTransactions(dataSource, PostgresErrors.TABLE, STATED);
  }

  /** Returns whether it may write; a standby will do for those that read. */
  private static String access(Kind kind) {
    return kind == Kind.CHANGES ? "READ WRITE" : "READ ONLY";
  }

  private static Duration statement(Kind kind) {
    return switch (kind) {
      case READS -> Duration.ofMinutes(5);
      case CHANGES -> Duration.ofMinutes(10);
      case WALKS -> Duration.ofHours(1);
    };
  }

  @Override
  public OwnTransactions.Undo before(Connection connection, Kind kind) throws SQLException {
    int timeout = connection.getNetworkTimeout();
    connection.setNetworkTimeout(
        Runnable::run, Math.toIntExact(statement(kind).plus(NETWORK_MARGIN).toMillis()));
    return after -> {
      if (!after.isClosed()) {
        after.setNetworkTimeout(Runnable::run, timeout);
      }
    };
  }

  @Override
  public void within(Connection transaction, Kind kind) throws SQLException {
    boolean isLimited =
        transaction.getMetaData().getDatabaseMajorVersion() >= TRANSACTION_TIMEOUT_SINCE;
    try (Statement begin = transaction.createStatement()) {
      begin.execute(
          BEGIN.formatted(
              access(kind), statement(kind).toMillis(), isLimited ? NO_TRANSACTION_TIMEOUT : ""));
    }
  }
}
