// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A real PostgreSQL server of our own on 127.0.0.1, as durable as in production: fsync and
 * synchronous_commit are on, so what was committed survives {@link #kill()}.
 *
 * <p>Also: UTF8 with locale C.UTF-8, 200 connections, 20 prepared transactions, wal_level logical,
 * no unix socket, and a random password. It ends with the JVM. Thread-safe, one verb at a time.
 */
public final class Postgres implements KillableServer {
  private static @Nullable Postgres shared;

  private final int version;
  private final Postmaster postmaster;
  private final boolean isTemporary;
  private final String password;
  private boolean isClosed;

  Postgres(int version, Postmaster postmaster, boolean isTemporary) {
    this.version = version;
    this.postmaster = postmaster;
    this.isTemporary = isTemporary;
    this.password = postmaster.folder().password();
  }

  /**
   * Starts a server with all defaults, in about two seconds.
   *
   * @return the running server, to be closed by the caller
   */
  public static Postgres start() {
    return builder().start();
  }

  /**
   * Starts a server with choices.
   *
   * @return what collects them
   */
  public static PostgresBuilder builder() {
    return new PostgresBuilder();
  }

  /**
   * The one server that all tests of this JVM share, started when first asked for. Make a database
   * of your own on it; do not stop, kill, suspend or close it. It goes with the JVM. Autovacuum is
   * off: a transaction of its own keeps holes open, at moments that no test knows. So is fsync,
   * since what a server that runs has committed is there without it: tests make hundreds of
   * databases, whose files it would wait for.
   *
   * @return the running server
   */
  public static synchronized Postgres shared() {
    if (shared == null) {
      shared = builder().setting("autovacuum", "off").setting("fsync", "off").start();
    }
    return shared;
  }

  /**
   * Lists what keeps holes open on the {@link #shared} server, where it was started: the
   * transactions of its clients, other than this one's, and prepared ones.
   *
   * @return a line for each, with its database and its last statement
   */
  public static synchronized List<String> openTransactionsOnShared() {
    if (shared == null) {
      return List.of();
    }
    try (Connection connection = shared.connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                """
                SELECT datname || ', transaction ' || coalesce(backend_xid::text, 'without an id')
                       || ', ' || coalesce(state, '') || ': ' || query
                  FROM pg_stat_activity
                 WHERE backend_type = 'client backend' AND xact_start IS NOT NULL
                   AND pid <> pg_backend_pid()
                UNION ALL
                SELECT database || ', prepared transaction ' || transaction || ': ' || gid
                  FROM pg_prepared_xacts\
                """)) {
      List<String> open = new ArrayList<>();
      while (rows.next()) {
        open.add(rows.getString(1));
      }
      return open;
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot ask the shared server for its transactions", e);
    }
  }

  /**
   * The JDBC URL of a database, with user and password.
   *
   * @param database its name
   * @return the URL, valid after restarts too
   */
  public String jdbcUrl(String database) {
    return "jdbc:postgresql://127.0.0.1:%d/%s?user=%s&password=%s"
        .formatted(port(), database, user(), password);
  }

  /**
   * The superuser.
   *
   * @return its name
   */
  public String user() {
    return PostgresFolder.SUPERUSER;
  }

  /**
   * The superuser's password.
   *
   * @return a random one, the same as long as the folder lives
   */
  public String password() {
    return password;
  }

  /**
   * Opens a connection as superuser, without a pool.
   *
   * @param database its name; {@code postgres} is always there
   * @return the connection, to be closed by the caller
   * @throws SQLException when it cannot be had, as while the server is down
   */
  public Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(jdbcUrl(database));
  }

  /**
   * Creates an empty database.
   *
   * @return its name, which is not used again
   */
  public String createDatabase() {
    return createDatabaseFrom("template1");
  }

  /**
   * Creates a database as a copy of another one to which nobody is connected.
   *
   * @param template the name of the other one
   * @return the name of the copy
   */
  public String createDatabaseFrom(String template) {
    String name = "db_" + UUID.randomUUID().toString().replace("-", "").toLowerCase(Locale.ROOT);
    try (Connection connection = connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + name + " TEMPLATE \"" + template + "\"" + strategy());
      return name;
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot create a database from " + template, e);
    }
  }

  /** Files are copied, as before version 15, and not logged page by page: tests make hundreds. */
  private String strategy() {
    return version < 15 ? "" : " STRATEGY FILE_COPY";
  }

  /**
   * Dumps the rows and sequences of a database as one snapshot sees them.
   *
   * @param database its name
   * @return the dump, held in memory
   */
  public DatabaseDump dump(String database) {
    try (Connection connection = connect(database)) {
      return DatabaseDump.of(connection);
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot dump " + database, e);
    }
  }

  /**
   * Replaces the rows and sequences of a database by those of a dump, which may come from another
   * server of another version.
   *
   * @param database its name; it must have the dump's tables
   * @param dump the rows
   */
  public void restore(String database, DatabaseDump dump) {
    try (Connection connection = connect(database)) {
      dump.restore(connection);
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot restore into " + database, e);
    }
  }

  /**
   * Starts a streaming standby of this server, in about two seconds. A server may have one.
   *
   * @return the running standby, to be closed by the caller
   */
  public synchronized PostgresStandby standby() {
    return PostgresStandby.of(this, postmaster);
  }

  /**
   * Takes a backup of the running server, from which it can be restored to a moment after this. A
   * server may have one.
   *
   * @return the backup; it goes with this server, whose log it needs
   */
  public synchronized PostgresBackup backup() {
    return PostgresBackup.of(this, postmaster);
  }

  /**
   * Moves the transaction ids of this server forward, as if it had run for years: past
   * 2<sup>32</sup>, or to just below it, as {@code pg_resetwal -e} and {@code -x} do. Rows stay
   * what they are. It stops and starts the server once to four times, each in about a second, so
   * use a server of your own ({@link #start()}) with nobody connected. For a cluster past 2^32 ids:
   * {@code server.advanceTransactionIds(1L << 32)}.
   *
   * @param next the 64-bit number of the next transaction, such as {@code 1L << 32}; the server
   *     itself may use a few before the caller's first
   * @throws IllegalArgumentException when it has been used already
   */
  public synchronized void advanceTransactionIds(long next) {
    new TransactionIds(this, postmaster.folder()).advanceTo(next);
  }

  /**
   * The TCP port, the same after a restart.
   *
   * @return a port of 127.0.0.1
   */
  public int port() {
    return postmaster.port();
  }

  /**
   * The process id of the postmaster.
   *
   * @return the id
   * @throws IllegalStateException while the server is stopped
   */
  @Override
  public synchronized long pid() {
    return postmaster.pid();
  }

  /**
   * Whether the server runs; one that has ended by itself, as it may on a full disk, does not.
   *
   * @return false while it is stopped or killed
   */
  public synchronized boolean isRunning() {
    return postmaster.isRunning();
  }

  /**
   * The major version.
   *
   * @return such as 18
   */
  public int version() {
    return version;
  }

  /**
   * The end of the server's log, for messages of failed tests.
   *
   * @return at most 4,000 characters
   */
  public String logTail() {
    return postmaster.logTail();
  }

  /**
   * Kills the postmaster by SIGKILL and returns when all its processes are gone; those that do not
   * see it go within two seconds are killed as well. {@link #restart()} recovers from the log.
   */
  @Override
  public synchronized void kill() {
    postmaster.kill();
  }

  /** Stops at once without a checkpoint (SIGQUIT); the next start recovers from the log. */
  public synchronized void stopImmediate() {
    postmaster.stop(Signals.QUIT);
  }

  /** Stops cleanly and breaks all connections (SIGINT). */
  public synchronized void stop() {
    postmaster.stop(Signals.INT);
  }

  /** Starts again on the same data and port, after stopping cleanly if the server is running. */
  @Override
  public synchronized void restart() {
    if (postmaster.isRunning()) {
      stop();
    }
    postmaster.startAgain();
  }

  /** Freezes all processes (SIGSTOP): connections stay open and nothing is answered. */
  public synchronized void suspend() {
    postmaster.suspend();
  }

  /** Lets frozen processes go on (SIGCONT). */
  public synchronized void resume() {
    postmaster.resume();
  }

  /** Stops the server, whatever its state, and deletes its folder if that is temporary. */
  @Override
  public synchronized void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    Shutdown.forget(this);
    if (postmaster.isRunning()) {
      end();
    }
    if (isTemporary) {
      Scratch.delete(postmaster.folder().path());
    }
  }

  private void end() {
    postmaster.resume();
    if (isTemporary) {
      postmaster.stop(Signals.QUIT); // what is deleted needs no checkpoint
    } else {
      postmaster.stop(Signals.INT);
    }
  }
}
