// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.Message;
import io.outledger.store.LedgerMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A ledger read page by page along its primary key, over a connection with the relay's settings:
 * the same columns, made into the same Java objects. It remembers nothing and would lose messages;
 * nothing that reads all rows can be much faster. Not thread-safe.
 */
public final class BarePages implements AutoCloseable {

  private static final String SETTINGS =
      """
      SET jit = off;
      SET plan_cache_mode = force_generic_plan;
      SET enable_seqscan = off;
      SET enable_bitmapscan = off;
      SET enable_material = off;
      SET max_parallel_workers_per_gather = 0\
      """;

  private static final String PAGE =
      """
      SELECT m.position, m.time, m.id, m.version, m.topic, m.message_key, m.type, m.payload,
             m.headers
        FROM outledger_message m
       WHERE m.position > ? ORDER BY m.position LIMIT ?\
      """;

  private final PreparedStatement statement;

  /**
   * Begins.
   *
   * @param connection which it is given the settings of; to be closed by the caller
   * @throws SQLException when the server refuses
   */
  public BarePages(Connection connection) throws SQLException {
    try (Statement settings = connection.createStatement()) {
      settings.execute(SETTINGS);
    }
    statement = connection.prepareStatement(PAGE);
  }

  /**
   * Reads the next page.
   *
   * @param above the last position of the page before, or 0
   * @return at most 5,000 messages in the order of their positions; empty at the end
   * @throws SQLException when the server refuses
   */
  public List<LedgerMessage> page(long above) throws SQLException {
    statement.setLong(1, above);
    statement.setInt(2, RelayPlan.PAGE);
    List<LedgerMessage> page = new ArrayList<>(RelayPlan.PAGE);
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        page.add(new LedgerMessage(row.getLong(1), message(row)));
      }
    }
    return page;
  }

  private static Message message(ResultSet row) throws SQLException {
    String headers = row.getString(9);
    if (headers != null) {
      throw new IllegalStateException("a waiting message has headers, which this does not decode");
    }
    return new Message(
        row.getObject(3, UUID.class),
        row.getString(5),
        row.getString(6),
        row.getString(7),
        row.getInt(4),
        row.getBytes(8),
        Map.of(),
        row.getObject(2, OffsetDateTime.class).toInstant());
  }

  @Override
  public void close() throws SQLException {
    statement.close();
  }
}
