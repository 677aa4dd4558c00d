// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.frontier.Positions;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.relay.Slots;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of a subscription that have a partition by their message's key. Thread-safe. */
final class DividedRows {

  private static final int LATE_MAX = 1_000;

  // A range of the primary key.
  private static final String MESSAGES =
      """
      SELECT 0, m.position, '', m.id, m.message_key FROM {schema}.outledger_message m
       WHERE m.position BETWEEN ? AND ? ORDER BY m.position LIMIT ?\
      """;

  // A range of the primary key.
  private static final String PARKED =
      """
      SELECT p.partition_no, p.position, p.route, p.id, p.message_key
        FROM {schema}.outledger_parked p WHERE p.subscription = ? LIMIT ?\
      """;

  // The primary key; the attempts go with it.
  private static final String MOVE_PARKED =
      """
      UPDATE {schema}.outledger_parked SET partition_no = ?
       WHERE subscription = ? AND partition_no = ? AND position = ? AND route = ? AND id = ?\
      """;

  // A range of the primary key, and the primary key of the ledger. Of what was purged, so is this.
  private static final String LATE =
      """
      SELECT DISTINCT l.partition_no, l.position, '', m.id, m.message_key
        FROM {schema}.%s l JOIN {schema}.outledger_message m ON m.position = l.position
       WHERE l.subscription = ?
         AND (l.partition_no > ? OR l.partition_no = ? AND l.position > ?)
       ORDER BY l.partition_no, l.position LIMIT ?\
      """;

  // The primary key. One that is noted there already is the later one.
  private static final String MOVE_LATE =
      """
      UPDATE {schema}.%1$s SET partition_no = ?
       WHERE subscription = ? AND partition_no = ? AND position = ?
         AND NOT EXISTS (SELECT 1 FROM {schema}.%1$s t
                          WHERE t.subscription = ? AND t.partition_no = ? AND t.position = ?)\
      """;

  private final LedgerTables tables;
  private final String subscription;
  private final Slots slots;

  /** Creates it, without I/O. */
  DividedRows(LedgerTables tables, String subscription, Slots slots) {
    this.tables = tables;
    this.subscription = subscription;
    this.slots = slots;
  }

  /** Where a row is, and what decides in which partition it is to be. */
  record Place(int partition, long position, String route, UUID id, @Nullable String key) {}

  private Place place(ResultSet row) throws SQLException {
    return new Place(
        row.getInt(1),
        row.getLong(2),
        row.getString(3),
        tables.values().uuid(row, 4),
        row.getString(5));
  }

  private int partitionOf(Place place) {
    return CursorKey.ofSlot(subscription, slots, slots.of(place.key(), place.id())).partition();
  }

  /** Returns the visible messages at positions; where there are more than the limit, one more. */
  List<Place> messages(Connection connection, Positions at, int limit) throws SQLException {
    List<Place> all = new ArrayList<>();
    long[] firsts = at.firsts();
    long[] lasts = at.lasts();
    for (int i = 0; i < firsts.length && all.size() <= limit; i++) {
      int left = limit + 1 - all.size();
      all.addAll(Sql.in(tables, connection, MESSAGES, firsts[i], lasts[i], left).rows(this::place));
    }
    return all;
  }

  /** Returns the parked messages; where there are more than the limit, one more. */
  List<Place> parked(Connection connection, int limit) throws SQLException {
    return Sql.in(tables, connection, PARKED, subscription, limit + 1).rows(this::place);
  }

  /** Gives each parked message to the partition of its key, and returns how many have another. */
  long moveParked(Connection connection) throws SQLException {
    long moved = 0;
    try (PreparedStatement statement = connection.prepareStatement(tables.in(MOVE_PARKED))) {
      for (Place each : parked(connection, Integer.MAX_VALUE - 1)) {
        int partition = partitionOf(each);
        if (partition != each.partition()) {
          tables
              .values()
              .bind(
                  statement,
                  partition,
                  subscription,
                  each.partition(),
                  each.position(),
                  each.route(),
                  each.id());
          statement.addBatch();
          moved++;
        }
      }
      if (moved > 0) {
        statement.executeBatch();
      }
    }
    return moved;
  }

  /**
   * Gives a part of what was settled late to the partitions of its messages' keys.
   *
   * @param after where the part before has ended; empty for the first
   * @return where this one has; empty if it was the last
   */
  Optional<String> moveLate(Connection connection, String after) throws SQLException {
    String[] parts = (after.isEmpty() ? "-1 0" : after).split(" ", -1);
    int partition = Integer.parseInt(parts[0]);
    long position = Long.parseLong(parts[1]);
    Place last = null;
    int read = 0;
    for (String table : tables.sql().late()) {
      List<Place> found =
          Sql.in(
                  tables,
                  connection,
                  LATE.formatted(table),
                  subscription,
                  partition,
                  partition,
                  position,
                  LATE_MAX)
              .rows(this::place);
      for (Place each : found) {
        moveLate(connection, table, each);
        last = each;
      }
      read += found.size();
    }
    return last == null || read < LATE_MAX
        ? Optional.empty()
        : Optional.of(last.partition() + " " + last.position());
  }

  private void moveLate(Connection connection, String table, Place each) throws SQLException {
    int to = partitionOf(each);
    if (to != each.partition()) {
      Sql.in(
              tables,
              connection,
              MOVE_LATE.formatted(table),
              to,
              subscription,
              each.partition(),
              each.position(),
              subscription,
              to,
              each.position())
          .update();
    }
  }
}
