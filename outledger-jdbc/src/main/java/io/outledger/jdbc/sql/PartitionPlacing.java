// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.LedgerEdge;
import io.outledger.jdbc.spi.PauseTable;
import io.outledger.jdbc.spi.RelaySubscription;
import io.outledger.relay.Slots;
import io.outledger.store.Division;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Makes the cursors of a subscription, all at once, and sees to it that whoever reads it knows how
 * many there are: one that is not divided has the cursor 0 alone, one of n partitions has the
 * cursors 1 to n. Thread-safe.
 */
final class PartitionPlacing {

  // A step back along the primary key.
  private static final String IS_GONE =
      """
      COALESCE((SELECT c.gone FROM {schema}.outledger_cursor c
                 WHERE c.subscription = ? AND c.partition_no = ? ORDER BY c.n DESC LIMIT 1), TRUE)\
      """;
  private static final String ARE_GONE =
      "SELECT " + IS_GONE + ", " + IS_GONE + ", " + IS_GONE; // whoever stands by asks often

  private final LedgerTables tables;
  private final RelaySubscription wanted;

  PartitionPlacing(LedgerTables tables, RelaySubscription wanted) {
    this.tables = tables;
    this.wanted = wanted;
  }

  /**
   * Makes the subscription; where it is there already, nothing changes.
   *
   * @return as {@link CursorPlacing#make} does
   * @throws ConfigurationException {@code OUT-060} if it has another number of partitions
   */
  boolean make(Connection connection, Start start, Optional<LedgerEdge> found) throws SQLException {
    new Ledger(tables).lockRetention(connection);
    String name = wanted.key().subscription();
    if (isAnyThere(connection)) {
      requireCount(connection);
    }
    boolean isMade = true;
    for (CursorKey key : keys(name, wanted.slots())) {
      isMade = isMade && new CursorPlacing(tables, key).make(connection, start, found);
    }
    return isMade;
  }

  /**
   * Checks the number of partitions, after the newest row of one of them was read: whoever changes
   * the number ends all leases, so that a take-over of that row fails where this was too early.
   *
   * @return why there is another number, for now: the subscription is being divided into as many as
   *     are wanted. Empty where it has as many, or is not there
   * @throws ConfigurationException {@code OUT-060} if there is another number
   */
  Optional<String> waits(Connection connection) throws SQLException {
    if (isRight(connection) || !isAnyThere(connection)) {
      return Optional.empty();
    }
    Optional<Division> division =
        new PauseTable(tables).division(connection, wanted.key().subscription());
    if (division.isEmpty() || division.get().partitions() != wanted.slots().count()) {
      requireCount(connection);
    }
    return Optional.of(
        "the subscription is being divided into as many partitions as this process has; it begins"
            + " when the old ones have been read up to a common position and left");
  }

  /** Returns why nobody may take the lease of a partition that has been read so far. */
  static String waits(Division division) {
    return ("the subscription is being divided into %s: this one has been read up to position %s,"
            + " and its keys wait until the others have been")
        .formatted(partitions(division.partitions()), division.upTo());
  }

  /** It may have been changed since it was looked at, in a transaction that has ended. */
  private void requireCount(Connection connection) throws SQLException {
    if (!isRight(connection)) {
      String name = wanted.key().subscription();
      int count = wanted.slots().count();
      int there = keys(connection, tables, name).size();
      throw new ConfigurationException(
          ErrorCode.OTHER_PARTITIONS,
          ("subscription \"%s\" has %s, but this process is configured with %s; it publishes"
                  + " nothing. Configure it with the number that there is; or ask to have the"
                  + " subscription divided into %s, by the request Divide. Slots of a connector are"
                  + " not divided: docs/connect.md says how their number changes")
              .formatted(name, partitions(there), partitions(count), partitions(count)));
    }
  }

  private boolean isRight(Connection connection) throws SQLException {
    if (!wanted.isDivided()) {
      return !isThere(connection, 1);
    }
    String name = wanted.key().subscription();
    int count = wanted.slots().count();
    return Sql.in(tables, connection, ARE_GONE, name, 0, name, count, name, count + 1)
        .first(row -> row.getBoolean(1) && !row.getBoolean(2) && row.getBoolean(3))
        .orElseThrow();
  }

  private boolean isAnyThere(Connection connection) throws SQLException {
    return isThere(connection, 0) || isThere(connection, 1);
  }

  static String partitions(int count) {
    return count == 1 ? "1 partition" : count + " partitions";
  }

  private boolean isThere(Connection connection, int partition) throws SQLException {
    return isThere(connection, tables, new CursorKey(wanted.key().subscription(), partition));
  }

  private static boolean isThere(Connection connection, LedgerTables tables, CursorKey key)
      throws SQLException {
    return new CursorRows(tables, key).seen(connection).filter(seen -> !seen.gone()).isPresent();
  }

  /** Returns the cursors of a subscription that has so many partitions. */
  static List<CursorKey> keys(String name, Slots slots) {
    return IntStream.range(0, slots.count())
        .mapToObj(slot -> CursorKey.ofSlot(name, slots, slot))
        .toList();
  }

  /** Returns the cursors of a subscription; one that is not divided has one, even if it is gone. */
  static List<CursorKey> keys(Connection connection, LedgerTables tables, String name)
      throws SQLException {
    List<CursorKey> keys = new ArrayList<>();
    if (!isThere(connection, tables, CursorKey.of(name))) {
      CursorKey next = new CursorKey(name, 1);
      while (isThere(connection, tables, next)) {
        keys.add(next);
        next = new CursorKey(name, next.partition() + 1);
      }
    }
    return keys.isEmpty() ? List.of(CursorKey.of(name)) : keys;
  }
}
