// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A MariaDB of our own on 127.0.0.1. What was committed survives {@link #kill()}. The program has
 * to be installed; on Debian the package is {@code mariadb-server}. {@code
 * -Doutledger.mariadb.home} names a folder with another version's {@code sbin/mariadbd} and {@code
 * bin/mariadb-install-db}, such as {@code workshop/servers/newest-server} prints. Thread-safe, one
 * verb at a time.
 */
public final class MariaDb extends InnoDbServer {

  private static final String HOME = System.getProperty("outledger.mariadb.home", "/usr");

  private static @Nullable MariaDb shared;

  private MariaDb(String password, List<String> settings) {
    super(
        "mariadb",
        Path.of(HOME, "sbin/mariadbd"),
        "mariadb-server",
        password,
        (folder, port) -> {
          initialize(folder.resolve("data"));
          return arguments(folder, port, accounts(password), settings);
        });
  }

  /** Each test makes tables of its own: without a file each, that takes half the processor time. */
  private static final String[] MANY_SMALL_TABLES = {
    "--innodb-file-per-table=0", "--innodb-stats-persistent=0", "--sync-frm=0"
  };

  /**
   * Starts a server.
   *
   * @param settings further arguments, such as {@code "--log-bin=binlog"}
   * @return the running server, to be closed by the caller
   */
  public static MariaDb start(String... settings) {
    return new MariaDb(newPassword(), List.of(settings));
  }

  /**
   * The one server that all tests of this JVM share, started when first asked for. Make a database
   * of your own on it; do not kill, suspend, stop or close it. It goes with the JVM.
   *
   * @return the running server
   */
  public static synchronized MariaDb shared() {
    if (shared == null) {
      shared = start(MANY_SMALL_TABLES);
    }
    return shared;
  }

  private static void initialize(Path data) {
    List<String> command =
        new ArrayList<>(
            List.of(
                HOME + "/bin/mariadb-install-db",
                "--no-defaults",
                "--basedir=" + HOME,
                "--auth-root-authentication-method=normal",
                "--skip-test-db",
                "--datadir=" + data,
                temporary(data.resolveSibling(""))));
    command.addAll(runAs());
    Commands.run(command);
  }

  @Override
  public MariaDb another(String... settings) {
    return new MariaDb(password(), List.of(settings));
  }

  @Override
  Path clients() {
    return Path.of(HOME, "bin");
  }

  @Override
  String replicating(String sql) {
    return sql.replace("{options}", "MASTER_USE_GTID = no");
  }

  @Override
  String url(int port, String database) {
    return "jdbc:mariadb://127.0.0.1:%d/%s".formatted(port, database);
  }
}
