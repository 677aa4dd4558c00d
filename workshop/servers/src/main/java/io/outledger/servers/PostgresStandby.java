// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;

/**
 * A real streaming standby of a PostgreSQL server, on 127.0.0.1 and a port of its own, with the
 * primary's databases, user and password. It answers reads until it is promoted. Thread-safe, one
 * verb at a time.
 */
public final class PostgresStandby implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String SLOT = "standby";

  private final Postgres primary;
  private final Postgres server;

  private PostgresStandby(Postgres primary, Postgres server) {
    this.primary = primary;
    this.server = server;
  }

  /** Starts the one standby of a primary. */
  static PostgresStandby of(Postgres primary, Postmaster running) {
    PostgresFolder folder = new BaseBackup(primary, running.folder()).take(SLOT, "standby.signal");
    Map<String, String> settings =
        Map.of(
            "primary_slot_name",
            SLOT,
            "primary_conninfo",
            "host=127.0.0.1 port=%d user=%s password=%s"
                .formatted(primary.port(), primary.user(), primary.password()));
    Postmaster postmaster = running.another(folder, settings);
    postmaster.start(0);
    Postgres server = new Postgres(primary.version(), postmaster, true);
    Shutdown.closeLater(server);
    return new PostgresStandby(primary, server);
  }

  /**
   * The server itself, to connect to, kill or stop.
   *
   * @return running
   */
  public Postgres server() {
    return server;
  }

  /** Returns once the standby shows all that the running primary has committed until now. */
  public void awaitReplay() {
    String position = ask(primary, "pg_current_wal_flush_lsn()");
    Await.until(
        () -> "the standby has replayed " + position + ":\n" + server.logTail(),
        PATIENCE,
        () -> "t".equals(ask(server, "pg_last_wal_replay_lsn() >= '" + position + "'")));
  }

  /**
   * Makes it a primary, and returns when it takes writes. Kill the old one first: nothing else
   * keeps two primaries apart.
   */
  public void promote() {
    ask(server, "pg_promote()");
    Await.until(
        () -> "the standby is promoted:\n" + server.logTail(),
        PATIENCE,
        () -> "f".equals(ask(server, "pg_is_in_recovery()")));
  }

  private static String ask(Postgres server, String what) {
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT " + what)) {
      row.next();
      return row.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot ask for " + what, e);
    }
  }

  /** Stops the standby and deletes its folder. */
  @Override
  public void close() {
    server.close();
  }
}
