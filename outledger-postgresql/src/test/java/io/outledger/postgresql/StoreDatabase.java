// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.jdbc.Admin;
import io.outledger.servers.Postgres;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A database of a test's own on the shared server, with the tables in it. */
final class StoreDatabase {

  static final Duration LEASE = Duration.ofSeconds(10);

  private final Postgres server;
  private final String name;

  private StoreDatabase(Postgres server, String name) {
    this.server = server;
    this.name = name;
  }

  /** Creates one with the tables. */
  static StoreDatabase create() {
    return new StoreDatabase(
        Postgres.shared(), Postgres.shared().createDatabaseFrom(Template.NAME));
  }

  /** Creates one without the tables. */
  static StoreDatabase empty() {
    return on(Postgres.shared());
  }

  /** Creates one without the tables on another server. */
  static StoreDatabase on(Postgres server) {
    return new StoreDatabase(server, server.createDatabase());
  }

  /** Returns the database of the same name on another server: a standby of this one. */
  StoreDatabase alsoOn(Postgres other) {
    return new StoreDatabase(other, name);
  }

  String name() {
    return name;
  }

  Admin admin() {
    return Admin.of(dataSource(), "public");
  }

  Postgres server() {
    return server;
  }

  DataSource dataSource() {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setURL(server.jdbcUrl(name));
    return dataSource;
  }

  /** A data source that logs in as another user without a password of its own: it sets the role. */
  DataSource dataSourceAs(String role) {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setURL(server.jdbcUrl(name) + "&options=-c%20role=" + role);
    return dataSource;
  }

  /** A data source whose driver prepares nothing on the server, as behind some poolers. */
  DataSource dataSourceThatNeverPrepares() {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setURL(server.jdbcUrl(name) + "&prepareThreshold=0");
    return dataSource;
  }

  Connection connect() throws SQLException {
    return server.connect(name);
  }

  RelayStore store(String subscription) {
    return store(subscription, Start.EARLIEST);
  }

  RelayStore store(String subscription, Start start) {
    return stores().relayStore(subscription, start, LEASE);
  }

  Stores stores() {
    return new Stores(dataSource());
  }

  void execute(String sql) throws SQLException {
    TestSession.run(server, name, statement -> statement.execute(sql));
  }

  long number(String sql) throws SQLException {
    return Long.parseLong(query(sql).get(0));
  }

  /** Returns the rows, their columns joined by a bar. */
  List<String> query(String sql) throws SQLException {
    return TestSession.run(
        server,
        name,
        statement -> {
          try (ResultSet rows = statement.executeQuery(sql)) {
            return rows(rows);
          }
        });
  }

  /** Returns all rows, their columns joined by a bar. */
  static List<String> rows(ResultSet rows) throws SQLException {
    List<String> values = new ArrayList<>();
    int columns = rows.getMetaData().getColumnCount();
    while (rows.next()) {
      StringBuilder value = new StringBuilder();
      for (int i = 1; i <= columns; i++) {
        value.append(i > 1 ? "|" : "").append(rows.getString(i));
      }
      values.add(value.toString());
    }
    return values;
  }

  /** A database with the tables, which is copied: faster than making them for each test. */
  private static final class Template {
    private static final String NAME = made();

    private static String made() {
      StoreDatabase template = empty();
      PostgreSql.schema().apply(template.dataSource());
      return template.name;
    }
  }

  /** The statement that appends messages 1 … count, whose payload is their number as text. */
  static String append(int count) {
    return """
    INSERT INTO outledger_message (time, id, version, topic, message_key, type, payload)
    SELECT clock_timestamp(), gen_random_uuid(), 1, 'orders', 'k' || i, 'order.placed',
           convert_to(i::text, 'UTF8')
      FROM generate_series(1, %d) i\
    """
        .formatted(count);
  }
}
