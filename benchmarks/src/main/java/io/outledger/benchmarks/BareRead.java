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
 * What the relay is held against: the same columns of the same rows, page by page along the primary
 * key, over a connection with the settings of the relay's, made into the same Java objects. It
 * remembers nothing and would lose messages; nothing that reads all rows can be much faster.
 */
final class BareRead {

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
      SELECT m.position, m.time, m.id, m.version, m.topic, m.key, m.type, m.payload, m.headers
        FROM outledger_message m
       WHERE m.position > ? ORDER BY m.position LIMIT ?\
      """;

  private final WaitingLedger ledger;

  BareRead(WaitingLedger ledger) {
    this.ledger = ledger;
  }

  /** Reads everything, and returns how many messages a second that were. */
  double run() throws SQLException {
    long start = System.nanoTime();
    long count = 0;
    try (Connection connection = ledger.connect();
        Statement settings = connection.createStatement();
        PreparedStatement statement = connection.prepareStatement(PAGE)) {
      settings.execute(SETTINGS);
      List<LedgerMessage> page = page(statement, 0);
      while (!page.isEmpty()) {
        count += page.size();
        page = page(statement, page.get(page.size() - 1).position());
      }
    }
    return count * 1e9 / (System.nanoTime() - start);
  }

  private static List<LedgerMessage> page(PreparedStatement statement, long above)
      throws SQLException {
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
}
