// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What a PostgreSQL server keeps on disk: its data, its log and the password of its superuser.
 *
 * @param path the folder of all three
 * @param account who owns the data
 */
record PostgresFolder(Path path, Account account) {
  static final String SUPERUSER = "postgres";
  private static final String OURS = "outledger.conf";

  Path data() {
    return path.resolve("data");
  }

  Path log() {
    return path.resolve("log");
  }

  /** Makes a new cluster here, unless there is one. */
  void initialize(PostgresBinaries binaries) {
    if (Files.exists(data().resolve("PG_VERSION"))) {
      return;
    }
    try {
      Files.createDirectories(data());
      account.own(path);
      account.own(data());
      Files.setPosixFilePermissions(data(), PosixFilePermissions.fromString("rwx------"));
      SecretFile.create(passwordFile());
      Files.writeString(passwordFile(), UUID.randomUUID().toString());
      account.own(passwordFile());
      Commands.run(account.command(initdb(binaries)));
      Files.writeString(
          data().resolve("postgresql.conf"),
          "\ninclude '" + OURS + "'\n",
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes the settings that the next start reads. */
  void configure(int port, Map<String, String> settings) {
    Map<String, String> all = new LinkedHashMap<>(defaults());
    all.putAll(settings);
    all.put("port", Integer.toString(port));
    StringBuilder lines = new StringBuilder();
    all.forEach(
        (name, value) -> lines.append("%s = '%s'%n".formatted(name, value.replace("'", "''"))));
    Path file = data().resolve(OURS);
    try {
      Files.writeString(file, lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    account.own(file);
  }

  String password() {
    try {
      return Files.readString(passwordFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path passwordFile() {
    return path.resolve("password");
  }

  private List<String> initdb(PostgresBinaries binaries) {
    return List.of(
        binaries.program("initdb").toString(),
        "--pgdata=" + data(),
        "--username=" + SUPERUSER,
        "--pwfile=" + passwordFile(),
        // A password still, but in the clear: the many iterations of SCRAM are most of the time
        // that it takes a test to connect.
        "--auth=password",
        "--encoding=UTF8",
        "--locale=" + (System.getProperty("os.name").startsWith("Mac") ? "C" : "C.UTF-8"),
        "--no-sync");
  }

  /** Durable as in production, and nothing that would outlive the folder after a kill. */
  private static Map<String, String> defaults() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("listen_addresses", "127.0.0.1");
    settings.put("unix_socket_directories", "");
    settings.put("fsync", "on");
    settings.put("synchronous_commit", "on");
    settings.put("max_connections", "200");
    settings.put("max_prepared_transactions", "20");
    settings.put("wal_level", "logical");
    settings.put("dynamic_shared_memory_type", "mmap");
    return settings;
  }
}
