// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;

/**
 * A backup of a PostgreSQL server, from which another is started as the first one was at a moment
 * since then. Used by one thread.
 */
public final class PostgresBackup {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String MOMENT = "moment";

  private final Postgres origin;
  private final Postmaster running;
  private final PostgresFolder folder;

  private PostgresBackup(Postgres origin, Postmaster running, PostgresFolder folder) {
    this.origin = origin;
    this.running = running;
    this.folder = folder;
  }

  static PostgresBackup of(Postgres origin, Postmaster running) {
    BaseBackup backup = new BaseBackup(origin, running.folder());
    return new PostgresBackup(origin, running, backup.take("backup", "recovery.signal"));
  }

  /**
   * Makes this the moment to which the server is restored. Something has to be committed after it,
   * or the mark may not have reached the disk.
   */
  public void markMoment() {
    execute(origin, "SELECT pg_create_restore_point('" + MOMENT + "')");
  }

  /**
   * Starts another server as the first was at the moment. The first one keeps what it has, and may
   * be stopped or killed; its folder has to be there still. Once alone.
   *
   * @return running, on a port of its own, with the databases and the password of the first
   */
  public Postgres restore() {
    Path archive = running.folder().data().resolve("pg_wal");
    String settings =
        """
        restore_command = 'cp "%s/%%f" "%%p"'
        recovery_target_name = '%s'
        recovery_target_action = 'promote'
        """
            .formatted(archive, MOMENT);
    try {
      Files.writeString(
          folder.data().resolve("postgresql.auto.conf"), settings, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Postmaster postmaster = running.another(folder, Map.of());
    postmaster.start(0);
    Postgres server = new Postgres(origin.version(), postmaster, true);
    Shutdown.closeLater(server);
    Await.until(
        () -> "the server is restored:\n" + server.logTail(), PATIENCE, () -> isOpen(server));
    forgetHow(server);
    return server;
  }

  /** Else a standby of the new server would stop there too. */
  private static void forgetHow(Postgres server) {
    execute(server, "ALTER SYSTEM RESET restore_command");
    execute(server, "ALTER SYSTEM RESET recovery_target_name");
    execute(server, "ALTER SYSTEM RESET recovery_target_action");
  }

  private static boolean isOpen(Postgres server) {
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT NOT pg_is_in_recovery()")) {
      row.next();
      return row.getBoolean(1);
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot ask whether it is restored", e);
    }
  }

  private static void execute(Postgres server, String sql) {
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot run " + sql, e);
    }
  }
}
