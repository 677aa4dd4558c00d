// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.sql.Sql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Refuses settings of a file in which processes could not share it, or messages could be lost. */
final class SqliteSettings {

  /**
   * File systems whose locks, or whose shared memory, other machines do not see; those of a virtual
   * machine, or of a container in one, that show a folder of its host are among them.
   */
  private static final List<String> SHARED =
      List.of(
          "nfs",
          "cifs",
          "smb",
          "9p",
          "ceph",
          "gluster",
          "lustre",
          "afs",
          "ocfs2",
          "gfs2",
          "sshfs",
          "webdav",
          "davfs",
          "virtiofs",
          "vboxsf",
          "vmhgfs",
          "prl_fs",
          "grpcfuse",
          "fakeowner");

  private static final String FILE =
      "SELECT d.file FROM pragma_database_list d WHERE d.name = 'main'";

  private SqliteSettings() {}

  /**
   * Checks what everybody needs, writers too, before any table is made.
   *
   * @throws ConfigurationException {@code OUT-020} with what to set
   */
  static void check(Connection connection) throws SQLException {
    check(connection, SqliteSettings::typeOf);
  }

  /** Checks the same, where the type of a file's file system is told in another way. */
  static void check(Connection connection, Function<Path, String> types) throws SQLException {
    Path file = file(connection);
    if (file == null) {
      throw refused(
          "the database is in memory or temporary, so each connection has one of its own, or it"
              + " cannot be in WAL mode: name a file in the URL, as in jdbc:sqlite:shop.db");
    }
    String journal = pragma(connection, "journal_mode");
    if (!journal.equalsIgnoreCase("wal")) {
      throw refused(
          "the file is in journal_mode "
              + journal
              + ", in which a relay that reads and an application that writes shut each other out:"
              + " execute PRAGMA journal_mode = WAL once, which the file keeps");
    }
    if (!pragma(connection, "locking_mode").equalsIgnoreCase("normal")) {
      throw refused(
          "the connection has locking_mode EXCLUSIVE, so no other can read or write: remove it");
    }
    if (!pragma(connection, "encoding").equals("UTF-8")) {
      throw refused(
          "the file's encoding is not UTF-8, by which sizes are checked: make a file whose first"
              + " statement is PRAGMA encoding = 'UTF-8'");
    }
    checkPlace(types.apply(file));
  }

  private static void checkPlace(String type) {
    if (SHARED.stream().anyMatch(type::contains)) {
      throw refused(
          "the file is on a file system of other machines, or of the host of this one ("
              + type
              + "), where WAL does not work between machines: use a disk of this machine");
    }
  }

  private static String typeOf(Path file) {
    try {
      return Files.getFileStore(file).type().toLowerCase(Locale.ROOT);
    } catch (IOException | RuntimeException e) {
      return ""; // it cannot be told
    }
  }

  /** Returns the file; null where there is none. */
  static @Nullable Path file(Connection connection) throws SQLException {
    String name = Sql.of(connection, FILE).first(row -> row.getString(1) + "").orElse("");
    return name.isEmpty() || name.equals("null") ? null : Path.of(name);
  }

  private static String pragma(Connection connection, String name) throws SQLException {
    return Sql.of(connection, "PRAGMA " + name).first(row -> row.getString(1)).orElse("");
  }

  private static ConfigurationException refused(String text) {
    return new ConfigurationException(ErrorCode.UNSUPPORTED_DATABASE, text);
  }
}
