// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.jdbc.spi.StoreFailure;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * A transaction of our own. It states all that it relies on, for itself alone, whatever the pool,
 * the role or the database has for a default: the isolation level, whether it may write, and how
 * long it may take. So nothing has to be set back before the connection returns to its pool.
 *
 * <p>READ COMMITTED, because each of our transactions waits for a lock first and must then see what
 * the one before has committed; a snapshot from before the wait would not show it.
 */
final class OwnTransaction {

  /** What a transaction is for, and what it states therefore. */
  enum Kind {
    /** What a relay does: its session has stated everything when it was opened. */
    OF_SESSION("", Duration.ZERO),
    /** Reads; a standby will do. */
    READS("READ ONLY", Duration.ofMinutes(5)),
    /** Changes something, in one step that is meant to be short. */
    CHANGES("READ WRITE", Duration.ofMinutes(10)),
    /** Walks through the whole ledger and holds nothing meanwhile. */
    WALKS("READ ONLY", Duration.ofHours(1));

    private final String access;
    private final Duration statement;

    Kind(String access, Duration statement) {
      this.access = access;
      this.statement = statement;
    }
  }

  /** How much longer than its statement's limit an answer of the server is waited for. */
  static final Duration NETWORK_MARGIN = Duration.ofSeconds(5);

  /** The first major version that limits transactions. */
  static final int TRANSACTION_TIMEOUT_SINCE = 17;

  private static final int ATTEMPTS_MAX = 100;

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

  private OwnTransaction() {}

  /**
   * Runs the work over a connection of its own and commits; rolls back where it fails. Where it met
   * another transaction in a way that doing it again will cure, it is done again.
   *
   * @param doing what it does, for the error's text
   * @throws io.outledger.StoreException if the database failed
   */
  static <T> T run(DataSource dataSource, Kind kind, String doing, Work<T> work) {
    for (int attempt = 1; ; attempt++) {
      try (Connection connection = StoreFailure.connection(dataSource, doing)) {
        return on(connection, kind, work);
      } catch (SQLException e) {
        if (!PostgresErrors.isRace(e) || attempt == ATTEMPTS_MAX) {
          throw StoreFailure.ofOperator(PostgresErrors.TABLE, doing, e);
        }
      }
    }
  }

  /** Runs the work over a connection once, and leaves the connection as it was. */
  static <T> T on(Connection connection, Kind kind, Work<T> work) throws SQLException {
    if (kind == Kind.OF_SESSION) {
      return once(connection, kind, work);
    }
    int timeout = connection.getNetworkTimeout();
    connection.setNetworkTimeout(
        Runnable::run, Math.toIntExact(kind.statement.plus(NETWORK_MARGIN).toMillis()));
    try {
      return once(connection, kind, work);
    } finally {
      if (!connection.isClosed()) {
        connection.setNetworkTimeout(Runnable::run, timeout);
      }
    }
  }

  private static <T> T once(Connection connection, Kind kind, Work<T> work) throws SQLException {
    boolean autoCommit = connection.getAutoCommit();
    if (autoCommit) {
      connection.setAutoCommit(false);
    } else {
      // What the pool may have asked over it has opened a transaction, in which it is too late.
      connection.rollback();
    }
    boolean isOver = false;
    try {
      begin(connection, kind);
      T result = work.on(connection);
      connection.commit();
      isOver = true;
      return result;
    } catch (Throwable failure) {
      isOver = rollBack(connection, failure);
      throw failure;
    } finally {
      // While a transaction is open this would commit it: a connection that could not roll back
      // goes as it is, and the server forgets its transaction with it.
      if (autoCommit && isOver) {
        connection.setAutoCommit(true);
      }
    }
  }

  private static void begin(Connection connection, Kind kind) throws SQLException {
    if (kind == Kind.OF_SESSION) {
      return;
    }
    boolean isLimited =
        connection.getMetaData().getDatabaseMajorVersion() >= TRANSACTION_TIMEOUT_SINCE;
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          BEGIN.formatted(
              kind.access, kind.statement.toMillis(), isLimited ? NO_TRANSACTION_TIMEOUT : ""));
    }
  }

  private static boolean rollBack(Connection connection, Throwable failure) {
    try {
      connection.rollback();
      return true;
    } catch (SQLException e) {
      failure.addSuppressed(e);
      return false;
    }
  }

  /** What is done. */
  interface Work<T> {
    T on(Connection connection) throws SQLException;
  }
}
