// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RelaySubscription;
import io.outledger.jdbc.sql.Sql;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.sqlite.SQLiteDataSource;

/** A file of a test's own in WAL mode. */
final class TestSqlite implements AutoCloseable {

  static final Duration LEASE = Duration.ofSeconds(10);

  private final Tables tables = new Tables();
  private final Path folder;
  private final SQLiteDataSource dataSource;
  private final Connection keptOpen;

  private TestSqlite() throws SQLException, IOException {
    folder = Files.createTempDirectory("outledger-sqlite-");
    dataSource = dataSource(file());
    keptOpen = dataSource.getConnection();
    execute("PRAGMA journal_mode = WAL");
  }

  /** Creates one with the tables. */
  static TestSqlite create() {
    TestSqlite database = empty();
    Sqlite.schema().apply(database.dataSource);
    return database;
  }

  /** Creates one without the tables. */
  static TestSqlite empty() {
    try {
      return new TestSqlite();
    } catch (SQLException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  static SQLiteDataSource dataSource(Path file) {
    SQLiteDataSource dataSource = new SQLiteDataSource();
    dataSource.setUrl("jdbc:sqlite:" + file);
    dataSource.getConfig().setBusyTimeout((int) Duration.ofSeconds(30).toMillis());
    return dataSource;
  }

  Path file() {
    return folder.resolve("shop.db");
  }

  /** Returns the database's time. */
  Instant now() {
    try {
      return Sql.in(tables, keptOpen, "SELECT {now}")
          .first(row -> tables.values().time(row, 1))
          .orElseThrow();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  DataSource dataSource() {
    return dataSource;
  }

  Connection connect() throws SQLException {
    return dataSource.getConnection();
  }

  RelayStore store(String subscription, Start start) {
    return new SqliteDatabase(tables)
        .relayStore(
            dataSource, new RelaySubscription(new CursorKey(subscription, 0), start, LEASE));
  }

  void execute(String sql) {
    try (Statement statement = keptOpen.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws SQLException {
    keptOpen.close();
    try (Stream<Path> files = Files.walk(folder)) {
      List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path each : deepestFirst) {
        Files.delete(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
