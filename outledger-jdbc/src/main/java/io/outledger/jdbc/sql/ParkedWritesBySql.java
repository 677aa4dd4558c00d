// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.jdbc.spi.AttemptRows;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedPlace;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Changes the parked messages, in the transaction of the save that carries the changes.
 * Thread-safe.
 */
final class ParkedWritesBySql {

  // The primary key. The attempt answers a request to retry; one to discard, made while it was in
  // flight, is still to be done. What it says of a message that was erased meanwhile may quote it.
  private static final String FAIL =
      """
      UPDATE {schema}.outledger_parked
         SET state = ?, blocks = ?, requested = NULLIF(requested, 'retry'), attempts = ?,
             next_attempt_at = %s,
             error = CASE WHEN withdrawn THEN NULL ELSE CAST(? AS {text}) END,
             changed_at = {now}
       WHERE subscription = ? AND partition_no = ? AND position = ? AND route = ? AND id = ?\
      """;

  // The primary key.
  private static final String REMOVE =
      """
      DELETE FROM {schema}.outledger_parked
       WHERE subscription = ? AND partition_no = ? AND position = ? AND route = ? AND id = ?\
      """;

  private final LedgerTables tables;
  private final CursorKey key;
  private final ParkedRowsBySql rows;
  private final AttemptRows attempts;
  private final String failing;

  ParkedWritesBySql(LedgerTables tables, CursorKey key) {
    this.tables = tables;
    this.key = key;
    this.rows = new ParkedRowsBySql(tables, key);
    this.attempts = new AttemptRows(tables, key);
    this.failing = FAIL.formatted(tables.sql().later());
  }

  /** Makes the changes of each place in order; messages that are set aside go together. */
  void apply(Connection connection, List<ParkedChange> changes) throws SQLException {
    Map<ParkedPlace, ParkedChange.Park> together = new LinkedHashMap<>();
    Set<ParkedPlace> inserted = new HashSet<>();
    for (ParkedChange change : changes) {
      ParkedPlace place = ParkedPlace.of(change);
      if (together.containsKey(place)) {
        inserted.addAll(rows.park(connection, together));
        together.clear();
      }
      if (change instanceof ParkedChange.Park park) {
        together.put(place, park);
      } else if (change instanceof ParkedChange.Fail fail) {
        fail(connection, fail);
      } else if (change instanceof ParkedChange.Remove) {
        remove(connection, change);
      }
    }
    inserted.addAll(rows.park(connection, together));
    attempts.note(connection, changes, inserted);
  }

  private void fail(Connection connection, ParkedChange.Fail change) throws SQLException {
    ParkedRowsBySql.State state =
        new ParkedRowsBySql.State(
            change.state(), change.blocks(), change.attempts(), change.retryIn(), change.error());
    rows.update(connection, failing, state, change);
  }

  private void remove(Connection connection, ParkedChange change) throws SQLException {
    Sql.in(
            tables,
            connection,
            REMOVE,
            key.subscription(),
            key.partition(),
            change.position(),
            change.route(),
            change.id())
        .update();
  }
}
