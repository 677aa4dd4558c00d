// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RelaySubscription;
import io.outledger.jdbc.sql.Ledger;
import io.outledger.jdbc.sql.Sql;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.h2.store.fs.FileUtils;
import org.h2.tools.Server;
import org.jspecify.annotations.Nullable;

/** A database of a test's own, with the tables, open until it is closed. */
final class TestH2 implements AutoCloseable {

  static final Duration LEASE = Duration.ofSeconds(10);

  /** Where the database is. */
  enum Place {
    MEMORY,
    /** In a file, opened by this process. */
    FILE,
    /** In a file, behind a server of H2's on this machine. */
    SERVER
  }

  private final JdbcDataSource dataSource = new JdbcDataSource();
  private final @Nullable Path folder;
  private final @Nullable Server server;
  private final Connection keptOpen;

  private TestH2(Place place) throws SQLException, IOException {
    folder = place == Place.MEMORY ? null : Files.createTempDirectory("outledger-h2-");
    server =
        place == Place.SERVER
            ? Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start()
            : null;
    String name = folder == null ? "mem:" + UUID.randomUUID() : "file:" + folder.resolve("db");
    dataSource.setURL(
        "jdbc:h2:" + (server == null ? "" : "tcp://127.0.0.1:" + server.getPort() + "/") + name);
    dataSource.setUser("sa");
    keptOpen = dataSource.getConnection();
  }

  /** Creates one in memory with the tables. */
  static TestH2 create() {
    return create(Place.MEMORY);
  }

  /** Creates one with the tables. */
  static TestH2 create(Place place) {
    TestH2 database = empty(place);
    H2.schema().apply(database.dataSource);
    return database;
  }

  /** Creates one in memory without the tables. */
  static TestH2 empty() {
    return empty(Place.MEMORY);
  }

  private static TestH2 empty(Place place) {
    try {
      return new TestH2(place);
    } catch (SQLException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the database's time. */
  Instant now() {
    try {
      return Sql.of(keptOpen, "SELECT CURRENT_TIMESTAMP")
          .first(row -> row.getObject(1, OffsetDateTime.class))
          .orElseThrow()
          .toInstant();
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
    return new H2Database(new Tables(Tables.DEFAULT_SCHEMA))
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

  long lastNumber() throws SQLException {
    return new Ledger(new Tables(Tables.DEFAULT_SCHEMA)).lastNumber(keptOpen);
  }

  @Override
  public void close() throws SQLException {
    keptOpen.close();
    if (server != null) {
      server.stop();
    }
    if (folder != null) {
      FileUtils.deleteRecursive(folder.toString(), false);
    }
  }
}
