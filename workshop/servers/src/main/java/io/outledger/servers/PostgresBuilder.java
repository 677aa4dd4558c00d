// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How a PostgreSQL server is to be started. Not thread-safe. */
public final class PostgresBuilder {
  private static final int NEWEST = 18;

  private int major = defaultVersion();
  private int port;
  private @Nullable Path folder;
  private @Nullable Path parent;
  private @Nullable Path installed;
  private final Map<String, String> settings = new LinkedHashMap<>();

  PostgresBuilder() {}

  /**
   * Chooses the major version, 13 to 18. Default: the environment variable OUTLEDGER_PG, else 18.
   * One that is not on the class path is taken from the local Maven repository or fetched once.
   *
   * @param major such as 15
   * @return this
   */
  public PostgresBuilder version(int major) {
    this.major = major;
    return this;
  }

  /**
   * Takes programs that are installed, in place of ours: those of a Linux distribution are built as
   * users have them, with LLVM.
   *
   * @param home the folder that has their {@code bin}, such as {@code /usr/lib/postgresql/15}; its
   *     version is chosen beside
   * @return this
   */
  public PostgresBuilder installed(Path home) {
    this.installed = home;
    return this;
  }

  /**
   * Chooses the folder in which the server keeps its data, log and password. It is made if need be,
   * and stays when the server is closed; a server started on it again has its data and password.
   * Default: a temporary folder that is deleted on close.
   *
   * @param folder where root starts the server as another user, one that that user can reach
   * @return this
   */
  public PostgresBuilder folder(Path folder) {
    this.folder = folder.toAbsolutePath();
    return this;
  }

  /**
   * Chooses where the temporary folder is made, such as on a {@link SmallDisk}. Default: where the
   * system keeps such folders.
   *
   * @param parent a folder that every user can pass through
   * @return this
   */
  public PostgresBuilder temporaryIn(Path parent) {
    this.parent = parent.toAbsolutePath();
    return this;
  }

  /**
   * Chooses the port. Default: a free one.
   *
   * @param port of 127.0.0.1
   * @return this
   */
  public PostgresBuilder port(int port) {
    this.port = port;
    return this;
  }

  /**
   * Sets a setting of postgresql.conf, over our own defaults.
   *
   * @param name such as {@code max_connections}
   * @param value as in the file, without quotes
   * @return this
   */
  public PostgresBuilder setting(String name, String value) {
    settings.put(name, value);
    return this;
  }

  /**
   * Starts the server and returns when it takes connections.
   *
   * @return the running server
   * @throws IllegalStateException when its programs cannot be had or it does not start, with the
   *     end of its log
   */
  public Postgres start() {
    Path home = folder == null ? temporary() : folder;
    PostgresFolder disk = new PostgresFolder(home, Account.unprivileged());
    PostgresRelease release = PostgresRelease.ofMajor(major);
    PostgresBinaries binaries =
        installed == null ? PostgresBinaries.of(release) : new PostgresBinaries(installed);
    disk.initialize(binaries);
    Postmaster postmaster = new Postmaster(binaries, disk, Map.copyOf(settings));
    postmaster.start(port);
    Postgres server = new Postgres(major, postmaster, folder == null);
    Shutdown.closeLater(server);
    VerifyNotes.started("postgres", release.version().replaceFirst("\\.0$", ""));
    return server;
  }

  private Path temporary() {
    return parent == null ? Scratch.folder("postgres") : Scratch.folderIn(parent, "postgres");
  }

  private static int defaultVersion() {
    String told = System.getenv().getOrDefault("OUTLEDGER_PG", "");
    return told.isBlank() ? NEWEST : Integer.parseInt(told.strip());
  }
}
