// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A MariaDB of our own on 127.0.0.1. What was committed survives {@link #kill()}. The program has
 * to be installed; on Debian the package is {@code mariadb-server}. Thread-safe, one verb at a
 * time.
 */
public final class MariaDb extends InnoDbServer {

  private static @Nullable MariaDb shared;

  private MariaDb(String password, List<String> settings) {
    super(
        "mariadb",
        Path.of("/usr/sbin/mariadbd"),
        "mariadb-server",
        password,
        (folder, port) -> {
          initialize(folder.resolve("data"));
          return arguments(folder, port, accounts(password), settings);
        });
  }

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
      shared = start();
    }
    return shared;
  }

  private static void initialize(Path data) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "mariadb-install-db",
                "--no-defaults",
                "--auth-root-authentication-method=normal",
                "--skip-test-db",
                "--datadir=" + data,
                temporary(data.resolveSibling(""))));
    command.addAll(runAs());
    Commands.run(command);
  }

  @Override
  String url(int port, String database) {
    return "jdbc:mariadb://127.0.0.1:%d/%s".formatted(port, database);
  }
}
