// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RelaySubscription;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/** A database in memory of a test's own, with the tables, open until it is closed. */
final class TestH2 implements AutoCloseable {

  static final Duration LEASE = Duration.ofSeconds(10);

  private final JdbcDataSource dataSource = new JdbcDataSource();
  private final Connection keptOpen;

  private TestH2(String url) throws SQLException {
    dataSource.setURL(url);
    dataSource.setUser("sa");
    keptOpen = dataSource.getConnection();
  }

  /** Creates one with the tables. */
  static TestH2 create() {
    TestH2 database = empty();
    H2.schema().apply(database.dataSource);
    return database;
  }

  /** Creates one without the tables. */
  static TestH2 empty() {
    try {
      return new TestH2("jdbc:h2:mem:" + UUID.randomUUID());
    } catch (SQLException e) {
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
  }
}
