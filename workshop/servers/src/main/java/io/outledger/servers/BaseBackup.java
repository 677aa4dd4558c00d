// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a running server's folder from which another server can start: a standby, or one that
 * is restored. The bundled programs hold no pg_basebackup, so the files are copied between the
 * start and the end of a backup. A replication slot keeps the log that the copy needs.
 *
 * @param primary the running server
 * @param from its folder
 */
record BaseBackup(Postgres primary, PostgresFolder from) {
  private static final int RENAMED_IN = 15;

  /** Left behind: it is of the running processes, or comes again over the connection. */
  private static final Set<String> OF_NO_USE =
      Set.of("postmaster.pid", "postmaster.opts", "pg_wal", "pg_replslot");

  /**
   * Copies everything into a new folder on the same disk.
   *
   * @param slot the name of the replication slot that is made
   * @param signal the file that tells the new server how to begin, such as standby.signal
   */
  PostgresFolder take(String slot, String signal) {
    PostgresFolder target = new PostgresFolder(beside(from.path(), slot), from.account());
    boolean renamed = primary.version() >= RENAMED_IN;
    try (Connection connection = primary.connect("postgres");
        Statement statement = connection.createStatement()) {
      // Kept from now on, however long the copy takes.
      ask(statement, "pg_create_physical_replication_slot('" + slot + "', true)");
      ask(statement, renamed ? "pg_backup_start('s', true)" : "pg_start_backup('s', true, false)");
      Files.createDirectories(target.path());
      copy(from.data(), target.data());
      Files.copy(from.path().resolve("password"), target.path().resolve("password"));
      String label = ask(statement, "labelfile FROM " + stop(renamed));
      Files.writeString(target.data().resolve("backup_label"), label);
      Files.createFile(target.data().resolve(signal));
      own(target);
      return target;
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot back up the primary", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** On the same disk, where the server has a temporary folder. */
  private static Path beside(Path folder, String name) {
    Path parent = folder.getParent();
    return parent != null && parent.startsWith(Scratch.root())
        ? Scratch.folderIn(parent, name)
        : Scratch.folder(name);
  }

  private static String stop(boolean renamed) {
    return renamed ? "pg_backup_stop(false)" : "pg_stop_backup(false, false)";
  }

  private static String ask(Statement statement, String what) throws SQLException {
    try (ResultSet row = statement.executeQuery("SELECT " + what)) {
      row.next();
      return row.getString(1);
    }
  }

  private static void copy(Path source, Path target) throws IOException {
    Files.walkFileTree(
        source,
        new SimpleFileVisitor<Path>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            Path copy = target.resolve(source.relativize(folder));
            Files.copy(folder, copy, StandardCopyOption.COPY_ATTRIBUTES);
            return isOfUse(folder) ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (isOfUse(file)) {
              Path copy = target.resolve(source.relativize(file));
              Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            return goneMeanwhile(e);
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e)
              throws IOException {
            return e == null ? FileVisitResult.CONTINUE : goneMeanwhile(e);
          }
        });
  }

  private static boolean isOfUse(Path path) {
    return !OF_NO_USE.contains(path.getFileName().toString());
  }

  /** A running server removes files; its log says so to the copy. */
  private static FileVisitResult goneMeanwhile(IOException e) throws IOException {
    if (e instanceof NoSuchFileException) {
      return FileVisitResult.CONTINUE;
    }
    throw e;
  }

  private static void own(PostgresFolder target) throws IOException {
    try (var paths = Files.walk(target.path())) {
      paths.forEach(target.account()::own);
    }
  }
}
