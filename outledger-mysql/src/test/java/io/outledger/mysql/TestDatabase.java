// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.RelaySubscription;
import io.outledger.jdbc.sql.Sql;
import io.outledger.servers.InnoDbServer;
import io.outledger.servers.MariaDb;
import io.outledger.servers.MySql;
import io.outledger.servers.TcpProxy;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import javax.sql.DataSource;

/** A database of a test's own on a shared server, removed when it is closed. */
final class TestDatabase implements AutoCloseable {

  static final Duration LEASE = Duration.ofSeconds(10);

  private final InnoDbServer server;
  private final Tables tables;
  private final DataSource dataSource;

  private TestDatabase(InnoDbServer server, Product product) {
    this.server = server;
    this.tables = new Tables(server.createDatabase(), product);
    this.dataSource = dataSource("");
  }

  /** Returns one on MariaDB, without the tables. */
  static TestDatabase onMariaDb() {
    return new TestDatabase(MariaDb.shared(), Product.MARIADB);
  }

  /** Returns one on MySQL, without the tables. */
  static TestDatabase onMySql() {
    return new TestDatabase(MySql.shared(), Product.MYSQL);
  }

  /** Returns one on a server of the test's own, without the tables. */
  static TestDatabase on(InnoDbServer server, Product product) {
    return new TestDatabase(server, product);
  }

  /** Makes the tables. */
  TestDatabase withTables() {
    io.outledger.jdbc.Schema.of(database()).apply(dataSource);
    return this;
  }

  Tables tables() {
    return tables;
  }

  Database database() {
    return new MySqlDatabase(tables);
  }

  DataSource dataSource() {
    return dataSource;
  }

  /** Returns one whose URL has parameters. */
  DataSource dataSource(String parameters) {
    return dataSource(server.user(), parameters);
  }

  /** Returns one of a user who has the server's password. */
  DataSource dataSource(String user, String parameters) {
    return new ConnectionsTo(server, user, server.port(), tables.schema(), parameters);
  }

  /** Returns one that goes over a line, of a user who may do nothing beyond the database. */
  DataSource dataSourceOver(TcpProxy line) {
    return new ConnectionsTo(server, server.application(), line.port(), tables.schema(), "");
  }

  Connection connect() throws SQLException {
    return dataSource.getConnection();
  }

  RelayStore store(String subscription, Start start) {
    return database()
        .relayStore(
            dataSource, new RelaySubscription(new CursorKey(subscription, 0), start, LEASE));
  }

  /** Returns the database's time. */
  Instant now() {
    try (Connection connection = connect()) {
      return Sql.in(tables, connection, "SELECT {now}")
          .first(row -> MySqlValues.ALL.time(row, 1))
          .orElseThrow();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  void execute(String sql) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(tables.in(sql));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the first column of the first row. */
  String text(String sql) {
    try (Connection connection = connect()) {
      return Sql.in(tables, connection, sql).first(row -> row.getString(1)).orElse("none");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the collation of the server that compares bytes, and pads nothing if it has one. */
  String collation() {
    return text(
        """
        SELECT c.COLLATION_NAME FROM information_schema.COLLATIONS c
         WHERE c.COLLATION_NAME IN ('utf8mb4_bin', 'utf8mb4_0900_bin', 'utf8mb4_nopad_bin')
         ORDER BY c.COLLATION_NAME = 'utf8mb4_bin', c.COLLATION_NAME = 'utf8mb4_0900_bin'
         LIMIT 1\
        """);
  }

  /** Returns the time of the one message in the ledger. */
  Instant timeOfTheMessage() {
    try (Connection connection = connect()) {
      return Sql.in(tables, connection, "SELECT m.time FROM {schema}.outledger_message m")
          .first(row -> MySqlValues.ALL.time(row, 1))
          .orElseThrow();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  long number(String sql) {
    try (Connection connection = connect()) {
      return Sql.in(tables, connection, sql).number();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    execute("DROP DATABASE {schema}");
  }

  InnoDbServer server() {
    return server;
  }
}
