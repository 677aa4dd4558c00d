// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.Message;
import io.outledger.postgresql.PostgreSql;
import io.outledger.servers.Postgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A database with Outledger's tables and messages that wait in its ledger. */
final class WaitingLedger {

  static final int PAYLOAD_BYTES = 200;
  static final int KEYS = 1_000;

  private static final String KEY = "order-";

  // What an application would have inserted; random payloads, which nothing can compress.
  private static final String FILL =
      """
      INSERT INTO outledger_message (time, id, version, topic, message_key, type, payload)
      SELECT clock_timestamp(), gen_random_uuid(), 1, 'orders', 'order-' || i %% %d,
             'order.placed', substring(noise.bytes FROM (i::bigint * 7919 %% 1800)::int + 1 FOR %d)
        FROM generate_series(1, ?) AS i,
             (SELECT string_agg(uuid_send(gen_random_uuid()), '') AS bytes
                FROM generate_series(1, 125)) AS noise\
      """
          .formatted(KEYS, PAYLOAD_BYTES);

  private final Postgres server;
  private final String database;

  private WaitingLedger(Postgres server, String database) {
    this.server = server;
    this.database = database;
  }

  /** Creates one without messages on a server. */
  static WaitingLedger empty(Postgres server) {
    WaitingLedger ledger = new WaitingLedger(server, server.createDatabase());
    PostgreSql.schema().apply(ledger.dataSource());
    return ledger;
  }

  /**
   * Fills it. It is vacuumed, as autovacuum would after this number of inserts, and written to
   * disk, so that no round pays for what the filling left behind.
   */
  void fill(int messages) throws SQLException {
    try (Connection connection = connect();
        PreparedStatement insert = connection.prepareStatement(FILL);
        Statement statement = connection.createStatement()) {
      insert.setInt(1, messages);
      insert.executeUpdate();
      statement.execute("VACUUM (ANALYZE) outledger_message");
      statement.execute("CHECKPOINT");
    }
  }

  /** Has messages wait that are due tomorrow, as many as are asked for. */
  void schedule(int messages) throws SQLException {
    try (Connection connection = connect();
        PreparedStatement insert =
            connection.prepareStatement(
                """
                INSERT INTO outledger_scheduled
                       (due_at, scheduled_at, id, version, topic, message_key, type, payload)
                SELECT now() + interval '1 day' + i * interval '1 millisecond', now(),
                       gen_random_uuid(), 1, 'orders', 'order-' || i %% %d, 'order.placed',
                       decode(repeat('ab', %d), 'hex')
                  FROM generate_series(1, ?) AS i\
                """
                    .formatted(KEYS, PAYLOAD_BYTES));
        Statement statement = connection.createStatement()) {
      insert.setInt(1, messages);
      insert.executeUpdate();
      statement.execute("VACUUM (ANALYZE) outledger_scheduled");
      statement.execute("CHECKPOINT");
    }
  }

  /** Returns the key that the filling gives every thousandth message. */
  static String key(long number) {
    return KEY + number % KEYS;
  }

  /** Returns the number of such a key. */
  static int keyNumber(Message message) {
    return keyNumber(Objects.requireNonNull(message.key(), "every message here has a key"));
  }

  static int keyNumber(String key) {
    return Integer.parseInt(key, KEY.length(), key.length(), 10);
  }

  DataSource dataSource() {
    return dataSource(server.port());
  }

  /** Returns the same with another port before the server. */
  DataSource dataSource(int port) {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setURL(jdbcUrl(port));
    return dataSource;
  }

  String jdbcUrl() {
    return server.jdbcUrl(database);
  }

  /** Returns the same with another port before the server. */
  String jdbcUrl(int port) {
    return jdbcUrl().replace(":" + server.port() + "/", ":" + port + "/");
  }

  Connection connect() throws SQLException {
    return server.connect(database);
  }

  /** Returns all bytes of a table with its indexes. */
  long bytes(String table) throws SQLException {
    return number("SELECT pg_total_relation_size('" + table + "')");
  }

  /** Returns how many rows of these tables are dead; the backends that made them have ended. */
  long deadTuples(String... tables) throws SQLException {
    return number(
        "SELECT sum(n_dead_tup)::bigint FROM pg_stat_user_tables WHERE relname IN ('"
            + String.join("', '", tables)
            + "')");
  }

  /** Returns how often somebody has walked along the ledger's index: one walk a poll. */
  long indexScans() throws SQLException {
    return number("SELECT idx_scan FROM pg_stat_user_indexes WHERE relname = 'outledger_message'");
  }

  /** Returns how many bytes of log the server has written in its life. */
  long walBytes() throws SQLException {
    return number("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint");
  }

  long number(String sql) throws SQLException {
    return Long.parseLong(text(sql));
  }

  String text(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}
