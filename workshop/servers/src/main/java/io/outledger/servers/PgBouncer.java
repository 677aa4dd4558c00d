// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;

/**
 * A PgBouncer of our own before a PostgreSQL server, on 127.0.0.1 and a free port. The program has
 * to be installed; on Debian the package is {@code pgbouncer}. It ends with the JVM. Thread-safe.
 */
public final class PgBouncer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Path INSTALLED = Path.of("/usr/sbin/pgbouncer");

  private final Postgres server;
  private final Path folder;
  private final int port;
  private final Process process;

  /** How clients share the connections to the server. */
  public enum Mode {
    /** A client keeps its connection until it disconnects. */
    SESSION,
    /** A client may have another connection in each transaction. */
    TRANSACTION
  }

  private PgBouncer(Postgres server, Path folder, int port, Process process) {
    this.server = server;
    this.folder = folder;
    this.port = port;
    this.process = process;
  }

  /**
   * Starts one and returns when it takes connections.
   *
   * @param server who is behind it
   * @param mode how connections are shared
   * @param connections how many it opens for a database at most
   * @return the running pooler, to be closed by the caller
   * @throws IllegalStateException when it is not installed or does not start
   */
  public static PgBouncer before(Postgres server, Mode mode, int connections) {
    Path folder = Scratch.folder("pgbouncer");
    int port = Ports.free();
    Account account = Account.unprivileged();
    try {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
      Path users = folder.resolve("users");
      Files.writeString(users, "\"%s\" \"%s\"%n".formatted(server.user(), server.password()));
      Path settings = folder.resolve("settings");
      Files.writeString(settings, settings(server, mode, connections, port, users));
      List.of(users, settings, folder).forEach(account::own);
      ProcessBuilder builder =
          new ProcessBuilder(
              account.command(List.of(INSTALLED.toString(), "--quiet", settings.toString())));
      builder.redirectErrorStream(true).redirectOutput(Redirect.to(folder.resolve("log").toFile()));
      PgBouncer pooler = new PgBouncer(server, folder, port, start(builder));
      Shutdown.closeLater(pooler);
      Await.until(pooler::log, PATIENCE, pooler::isReady);
      return pooler;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The JDBC URL of a database behind it, for a driver that never prepares: a statement prepared in
   * one transaction would be unknown to the next one's connection.
   *
   * @param database its name
   * @return the URL, with user and password
   */
  public String jdbcUrl(String database) {
    return server.jdbcUrl(database).replace(":" + server.port() + "/", ":" + port + "/")
        + "&prepareThreshold=0";
  }

  @Override
  public void close() {
    Shutdown.forget(this);
    process.destroy();
    Await.until("PgBouncer ends", PATIENCE, () -> !process.isAlive());
    Scratch.delete(folder);
  }

  private static Process start(ProcessBuilder builder) {
    if (!Files.isExecutable(INSTALLED)) {
      throw new IllegalStateException(
          INSTALLED + " is missing: on Debian, apt-get install pgbouncer");
    }
    return Commands.start(builder);
  }

  private static String settings(
      Postgres server, Mode mode, int connections, int port, Path users) {
    return """
    [databases]
    * = host=127.0.0.1 port=%d
    [pgbouncer]
    listen_addr = 127.0.0.1
    listen_port = %d
    unix_socket_dir =
    auth_type = scram-sha-256
    auth_file = %s
    pool_mode = %s
    default_pool_size = %d
    max_client_conn = 200
    ignore_startup_parameters = extra_float_digits
    """
        .formatted(
            server.port(),
            port,
            users,
            mode == Mode.SESSION ? "session" : "transaction",
            connections);
  }

  private boolean isReady() {
    if (!process.isAlive()) {
      throw new IllegalStateException("PgBouncer did not start: " + log());
    }
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(Ports.loopback(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private String log() {
    try {
      return Files.readString(folder.resolve("log"));
    } catch (IOException e) {
      return e.toString();
    }
  }
}
