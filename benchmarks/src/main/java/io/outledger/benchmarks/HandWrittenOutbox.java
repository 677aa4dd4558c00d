// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The outbox that is found everywhere: a table, and a relay that locks the next page of unsent
 * rows, publishes them, and marks them as sent. It publishes nothing here, so that what is measured
 * is what it does with the database.
 */
final class HandWrittenOutbox {

  private static final String INSERT =
      "INSERT INTO outbox (message_key, type, payload) VALUES (?, 'order.placed', ?)";

  private final MeasuredDatabase database;

  /** Makes its table. */
  HandWrittenOutbox(MeasuredDatabase database) throws SQLException {
    this.database = database;
    Sql.run(
        database.dataSource(),
        "CREATE TABLE outbox (id %s, message_key VARCHAR(200) NOT NULL, type VARCHAR(200) NOT NULL,"
                .formatted(database.id())
            + " payload %s NOT NULL, sent_at TIMESTAMP NULL)".formatted(database.bytes()));
    Sql.run(database.dataSource(), "CREATE INDEX outbox_unsent ON outbox (sent_at, id)");
  }

  /**
   * How its relay is written.
   *
   * @param pageRows how many rows it locks at a time
   * @param isBatched whether one statement marks a page, and not one each row
   */
  record Way(int pageRows, boolean isBatched) {

    /** As it is found everywhere. */
    static final Way EVERYWHERE = new Way(100, false);

    /** The same with larger pages, each marked by one statement. */
    static final Way BATCHED = new Way(1_000, true);
  }

  /** Inserts messages in the caller's transaction. */
  static void insert(Connection connection, List<byte[]> payloads) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      for (int i = 0; i < payloads.size(); i++) {
        insert.setString(1, WaitingLedger.key(i));
        insert.setBytes(2, payloads.get(i));
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  /** Takes back that anything was sent. */
  void reset() throws SQLException {
    Sql.run(database.dataSource(), "UPDATE outbox SET sent_at = NULL");
  }

  /** Sends everything, and returns how many messages a second that were. */
  double drain(Way way) throws SQLException {
    long start = System.nanoTime();
    long sent = 0;
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      int page = send(connection, way);
      while (page > 0) {
        connection.commit();
        sent += page;
        page = send(connection, way);
      }
      connection.rollback();
    }
    return sent * 1e9 / (System.nanoTime() - start);
  }

  private int send(Connection connection, Way way) throws SQLException {
    List<Long> ids = page(connection, way.pageRows());
    if (ids.isEmpty()) {
      return 0;
    }
    if (way.isBatched()) {
      mark(connection, ids);
    } else {
      for (long id : ids) {
        mark(connection, List.of(id));
      }
    }
    return ids.size();
  }

  private List<Long> page(Connection connection, int rows) throws SQLException {
    List<Long> ids = new ArrayList<>();
    String sql =
        "SELECT id, message_key, type, payload FROM outbox WHERE sent_at IS NULL ORDER BY id LIMIT"
            + " ?"
            + database.locking();
    try (PreparedStatement page = connection.prepareStatement(sql)) {
      page.setInt(1, rows);
      try (ResultSet row = page.executeQuery()) {
        while (row.next()) {
          if (row.getBytes(4).length != WaitingLedger.PAYLOAD_BYTES) {
            throw new IllegalStateException("row " + row.getLong(1) + " is not what was inserted");
          }
          ids.add(row.getLong(1));
        }
      }
    }
    return ids;
  }

  private static void mark(Connection connection, List<Long> ids) throws SQLException {
    String places = String.join(", ", Collections.nCopies(ids.size(), "?"));
    String sql = "UPDATE outbox SET sent_at = CURRENT_TIMESTAMP WHERE id IN (" + places + ")";
    try (PreparedStatement mark = connection.prepareStatement(sql)) {
      for (int i = 0; i < ids.size(); i++) {
        mark.setLong(i + 1, ids.get(i));
      }
      mark.executeUpdate();
    }
  }
}
