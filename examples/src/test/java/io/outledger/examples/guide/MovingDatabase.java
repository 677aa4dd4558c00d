// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import com.zaxxer.hikari.HikariDataSource;
import io.outledger.examples.SqlScript;
import io.outledger.jdbc.Outledger;
import io.outledger.postgresql.PostgreSql;
import io.outledger.relay.Relay;
import io.outledger.servers.Postgres;
import io.outledger.store.Start;
import io.outledger.testing.RecordingPublisher;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A database with an old outbox and the ledger. */
final class MovingDatabase implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final HikariDataSource dataSource = new HikariDataSource();
  private final Outledger outledger;

  /**
   * Creates one.
   *
   * @param oldTables the script that creates the old outbox; beside this class
   */
  MovingDatabase(String oldTables) throws SQLException {
    Postgres server = Postgres.shared();
    dataSource.setJdbcUrl(server.jdbcUrl(server.createDatabase()));
    SqlScript.run(dataSource, MovingDatabase.class, oldTables);
    PostgreSql.schema().apply(dataSource);
    outledger = Outledger.builder(dataSource).withoutRetention().build();
  }

  Connection connection() throws SQLException {
    return dataSource.getConnection();
  }

  Outledger outledger() {
    return outledger;
  }

  void execute(String sql) throws SQLException {
    try (Connection connection = connection()) {
      try {
        execute(connection, sql);
      } catch (SQLException e) {
        execute(connection, "ROLLBACK");
        throw e;
      }
    }
  }

  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Returns the first column of a query's rows. */
  List<String> column(String query) throws SQLException {
    try (Connection connection = connection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      List<String> values = new ArrayList<>();
      while (row.next()) {
        values.add(row.getString(1));
      }
      return values;
    }
  }

  /** Publishes everything that waits, and returns the ids in the order of publishing. */
  List<String> published() throws InterruptedException {
    RecordingPublisher publisher = new RecordingPublisher();
    try (Relay relay = outledger.relay("kafka").from(Start.EARLIEST).to(publisher).build()) {
      relay.drain(PATIENCE);
    }
    return publisher.messages().stream().map(message -> message.id().toString()).toList();
  }

  @Override
  public void close() {
    outledger.close();
    dataSource.close();
  }
}
