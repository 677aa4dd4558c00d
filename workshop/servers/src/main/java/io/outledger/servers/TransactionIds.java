// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Moves the transaction ids of a server forward, by as much as years would.
 *
 * <p>Rows hold the lower 32 bits of an id, which are compared in a circle. So everything is frozen
 * before each step, and no step is longer than a third of the circle.
 *
 * @param server the running server
 * @param folder where it keeps its data
 */
record TransactionIds(Postgres server, PostgresFolder folder) {
  private static final long STEP_MAX = 1_400_000_000L;
  private static final long CIRCLE = 1L << 32;
  private static final int FIRST_NORMAL = 3;
  private static final int IDS_PER_PAGE = 32_768;
  private static final int PAGES_PER_SEGMENT = 32;
  private static final int PAGE_BYTES = 8192;

  void advanceTo(long least) {
    long wanted = least % CIRCLE < FIRST_NORMAL ? least - least % CIRCLE + FIRST_NORMAL : least;
    long now;
    do {
      freeze();
      server.stop();
      ControlFile control = new ControlFile(folder.data());
      now = control.nextTransactionId();
      if (wanted < now) {
        server.restart();
        throw new IllegalArgumentException("The next transaction is " + now + " already");
      }
      long apart = (wanted - now) % CIRCLE;
      long next = apart <= STEP_MAX ? wanted : now + STEP_MAX;
      if (control.writeNextTransactionId(next)) {
        makeCommitLogFor((int) next);
        now = next;
      }
      server.restart();
    } while (now != wanted);
  }

  /** The server zeroes what follows on the page that it finds. */
  private void makeCommitLogFor(int id) {
    long page = Integer.toUnsignedLong(id) / IDS_PER_PAGE;
    Path segment =
        folder.data().resolve("pg_xact").resolve("%04X".formatted(page / PAGES_PER_SEGMENT));
    try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "rw")) {
      file.setLength(Math.max(file.length(), (page % PAGES_PER_SEGMENT + 1) * PAGE_BYTES));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    folder.account().own(segment);
  }

  /** The rows of pg_database come last, since they change while the others are frozen. */
  private void freeze() {
    execute("postgres", "ALTER DATABASE template0 ALLOW_CONNECTIONS true");
    for (String database : databases()) {
      execute(database, "VACUUM (FREEZE)");
    }
    execute("postgres", "VACUUM (FREEZE) pg_database");
  }

  private List<String> databases() {
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT datname FROM pg_database")) {
      List<String> names = new ArrayList<>();
      while (rows.next()) {
        names.add(rows.getString(1));
      }
      return names;
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot list the databases", e);
    }
  }

  private void execute(String database, String sql) {
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot execute in " + database + ": " + sql, e);
    }
  }
}
