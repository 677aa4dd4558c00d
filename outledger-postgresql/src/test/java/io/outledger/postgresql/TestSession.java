// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.servers.Postgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A session for what a test itself asks and prepares by SQL, apart from what it tries. The last one
 * is kept for the next statement in its database: to connect takes longer than most statements.
 */
final class TestSession {

  private static final AtomicReference<@Nullable TestSession> KEPT = new AtomicReference<>();

  private final Postgres server;
  private final String database;
  private final Connection connection;

  private TestSession(Postgres server, String database) throws SQLException {
    this.server = server;
    this.database = database;
    this.connection = server.connect(database);
  }

  /** What is done with a statement. */
  @FunctionalInterface
  interface Work<T extends @Nullable Object> {
    T with(Statement statement) throws SQLException;
  }

  /** Runs one statement; after a failure the session is not kept. */
  static <T extends @Nullable Object> T run(Postgres server, String database, Work<T> work)
      throws SQLException {
    TestSession session = taken(server, database);
    boolean isSound = false;
    try (Statement statement = session.connection.createStatement()) {
      T result = work.with(statement);
      isSound = true;
      return result;
    } finally {
      TestSession other = isSound ? KEPT.getAndSet(session) : session;
      if (other != null) {
        other.connection.close();
      }
    }
  }

  /** Nobody else has it until it is kept again. */
  private static TestSession taken(Postgres server, String database) throws SQLException {
    TestSession kept = KEPT.getAndSet(null);
    if (kept != null
        && kept.server == server
        && kept.database.equals(database)
        && kept.connection.isValid(1)) {
      return kept;
    }
    if (kept != null) {
      kept.connection.close();
    }
    return new TestSession(server, database);
  }
}
