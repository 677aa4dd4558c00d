// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import static java.util.stream.Collectors.joining;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.jdbc.sharing.OldPartitions;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.DivisionStep;
import io.outledger.relay.Pull;
import io.outledger.relay.Slots;
import io.outledger.store.KnownMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Divides a subscription into another number of partitions. Whether all of them have been read up
 * to one position only bounds how much is open: what is open in the new ones is decided for each
 * message by the partition that it had. Thread-safe.
 */
final class Dividing {

  /** The most messages that may be neither settled nor read by all, and the most parked ones. */
  private static final int ROWS_MAX = 10_000;

  private final LedgerTables tables;
  private final String name;
  private final Slots slots;
  private final DividedRows rows;

  /** Creates it, without I/O. */
  Dividing(LedgerTables tables, String name, Slots slots) {
    this.tables = tables;
    this.name = name;
    this.slots = slots;
    this.rows = new DividedRows(tables, name, slots);
  }

  /** An old partition as it stands, with all that is open in it. */
  private record Part(CursorKey key, CursorRows.Row row, Frontier frontier) {}

  /**
   * Divides it, unless it is too early. It looks first, and locks only where that has shown nothing
   * to wait for; then it looks again.
   */
  DivisionStep step(Connection connection) throws SQLException {
    List<Part> seen = parts(connection);
    Optional<DivisionStep> early = waits(connection, seen);
    if (early.isPresent()) {
      return early.get();
    }
    new Ledger(tables).lockRetention(connection);
    for (Part each : seen) {
      CursorRows.Row newest = requireThere(connection, each.key());
      if (newest.isOwned()) { // taken a moment ago
        return owned(parts(connection));
      }
      tables.checkRead(connection, each.key(), newest.frontier().high(), newest.known());
      // From here on nobody owns, saves, moves or deletes it. What is open and parked is read
      // after.
      new CursorRows(tables, each.key()).keep(connection, newest);
    }
    List<Part> old = parts(connection);
    early = waits(connection, old);
    return early.isPresent() ? early.get() : divide(connection, old);
  }

  private List<Part> parts(Connection connection) throws SQLException {
    List<Part> parts = new ArrayList<>();
    for (CursorKey key : PartitionPlacing.keys(connection, tables, name)) {
      CursorRows.Row row = requireThere(connection, key);
      if (Pull.hasWritten(row.incarnation())) {
        throw new ConfigurationException(
            ErrorCode.OTHER_PARTITIONS,
            ("subscription \"%s\" is read by the slots of a connector, whose source offsets know"
                    + " more than its cursor; nothing was changed. Let the connector read"
                    + " everything, and begin anew as docs/connect.md says")
                .formatted(name));
      }
      Positions open = row.frontier().open().union(tables.openPositions(key).load(connection));
      parts.add(new Part(key, row, new Frontier(row.frontier().high(), open)));
    }
    return parts;
  }

  private CursorRows.Row requireThere(Connection connection, CursorKey key) throws SQLException {
    return new CursorPlacing(tables, key).requireThere(connection);
  }

  private Optional<DivisionStep> waits(Connection connection, List<Part> parts)
      throws SQLException {
    if (parts.stream().anyMatch(each -> each.row().isOwned())) {
      return Optional.of(owned(parts));
    }
    OldPartitions old = together(parts);
    if (rows.messages(connection, old.unsettled(), ROWS_MAX).size() > ROWS_MAX) {
      throw tooMany(
          ("more than %s messages up to position %s are not settled: let processes with the old"
                  + " number settle them")
              .formatted(ROWS_MAX, old.high()));
    }
    if (rows.parked(connection, ROWS_MAX).size() > ROWS_MAX) {
      throw tooMany("more than %s messages are parked: retry or discard some".formatted(ROWS_MAX));
    }
    return Optional.empty();
  }

  /** Owners alone do something about it, and nobody becomes one while a division waits. */
  private ConfigurationException tooMany(String what) {
    return new ConfigurationException(
        ErrorCode.OTHER_PARTITIONS,
        "subscription \"%s\" cannot be divided now, since %s; then ask again. Nothing was changed"
            .formatted(name, what));
  }

  private static DivisionStep owned(List<Part> parts) {
    long high = together(parts).high();
    String behind =
        parts.stream()
            .filter(each -> !isReady(each, high))
            .map(
                each ->
                    each.key().partition()
                        + " (at "
                        + each.frontier().high()
                        + (each.row().isOwned() ? "" : ", without an owner")
                        + ")")
            .collect(joining(", "));
    return new DivisionStep.Waits(
        parts.size(),
        high,
        ready(parts),
        "waits until all is read up to position %s and settled, or parked, in partition %s"
            .formatted(high, behind));
  }

  private static boolean isReady(Part part, long high) {
    return !part.row().isOwned() && part.frontier().high() >= high;
  }

  private static int ready(List<Part> parts) {
    long high = together(parts).high();
    return (int) parts.stream().filter(each -> isReady(each, high)).count();
  }

  private static OldPartitions together(List<Part> parts) {
    return new OldPartitions(parts.stream().map(Part::frontier).toList());
  }

  private DivisionStep divide(Connection connection, List<Part> old) throws SQLException {
    long high = together(old).high();
    Positions open = open(connection, together(old));
    KnownMessage known = known(old);
    List<CursorKey> keys = PartitionPlacing.keys(name, slots);
    for (Part each : old) {
      if (!keys.contains(each.key())) {
        place(connection, each.key(), CursorRows.Kind.GONE, 0, null);
      }
      SubscriptionsBySql.removeCursor(tables, connection, each.key());
    }
    for (CursorKey key : keys) {
      place(connection, key, CursorRows.Kind.TAKEN, high, known);
      tables.openPositions(key).replace(connection, open);
    }
    return new DivisionStep.Done(old.size(), high, rows.moveParked(connection));
  }

  private Positions open(Connection connection, OldPartitions old) throws SQLException {
    return old.open(
        rows.messages(connection, old.unsettled(), Integer.MAX_VALUE - 1).stream()
            .map(each -> new OldPartitions.Visible(each.position(), each.key(), each.id()))
            .toList());
  }

  /** Returns the newest message by which one of them knows the ledger. */
  private static @Nullable KnownMessage known(List<Part> old) {
    KnownMessage newest = null;
    for (Part each : old) {
      KnownMessage known = each.row().known();
      if (known != null && (newest == null || known.position() > newest.position())) {
        newest = known;
      }
    }
    return newest;
  }

  private void place(
      Connection connection,
      CursorKey key,
      CursorRows.Kind kind,
      long high,
      @Nullable KnownMessage known)
      throws SQLException {
    CursorRows cursor = new CursorRows(tables, key);
    cursor.place(connection, cursor.newest(connection).orElse(null), kind, high, known);
  }
}
