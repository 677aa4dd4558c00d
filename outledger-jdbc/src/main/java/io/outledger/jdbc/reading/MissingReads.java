// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import io.outledger.jdbc.admin.Count;
import io.outledger.jdbc.admin.LedgerState;
import io.outledger.jdbc.admin.LedgerState.Point;
import io.outledger.jdbc.admin.MessageSearch;
import io.outledger.jdbc.admin.Parked;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.Reader.Kind;
import io.outledger.jdbc.admin.Reason;
import io.outledger.jdbc.admin.SubscriptionState;
import io.outledger.jdbc.spi.AdminReads;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Finds out why a message is not in the ledger. */
final class MissingReads {

  // The first rows of the primary key: ids have no index.
  private static final String PARKED_WITH_ID =
      """
      SELECT p.subscription, p.partition_no, p.position, p.id
        FROM (SELECT a.subscription, a.partition_no, a.position, a.route, a.id
                FROM {schema}.outledger_parked a
               ORDER BY a.subscription, a.partition_no, a.position, a.route, a.id LIMIT ?) p
       WHERE p.id = ?\
      """;

  // One step along the primary key for each subscription.
  private static final String PARKED_AT =
      """
      SELECT p.subscription, p.partition_no, p.position, p.id
        FROM {schema}.outledger_subscription s
        JOIN {schema}.outledger_parked p
          ON p.subscription = s.subscription AND p.partition_no = s.partition_no
       WHERE p.position = ?\
      """;

  // The first rows of the primary key.
  private static final String RECEIVED_WITH_ID =
      """
      SELECT p.consumer, p.number
        FROM (SELECT a.consumer, a.number, a.message_id FROM {schema}.outledger_inbox_parked a
               ORDER BY a.consumer, a.number LIMIT ?) p
       WHERE p.message_id = ?\
      """;

  private static final int ROWS_MAX = 100;

  private final AdminReads reads;
  private final Ledger ledger;

  MissingReads(AdminReads reads) {
    this.reads = reads;
    this.ledger = new Ledger(reads);
  }

  /** Returns what is parked with an id, of the first {@value Count#MAX} that are parked at all. */
  List<Parked> parkedWith(Connection connection, UUID id) throws SQLException {
    return parked(connection, Query.of(reads, reads.in(PARKED_WITH_ID), Count.MAX, id));
  }

  /** Returns what consumers have parked with an id, of the first {@value Count#MAX} likewise. */
  List<Parked> receivedWith(Connection connection, String id) throws SQLException {
    record Place(Reader owner, long number) {}
    List<Place> found =
        Query.of(reads, reads.in(RECEIVED_WITH_ID), Count.MAX, id)
            .and(" LIMIT ?", ROWS_MAX)
            .rows(connection, row -> new Place(Reader.consumer(row.getString(1)), row.getLong(2)));
    List<Parked> all = new ArrayList<>();
    for (Place place : found) {
      ParkedSource table = new ParkedSource(reads, place.owner());
      all.addAll(
          table
              .select(0)
              .and(" AND p.number = ?", place.number())
              .rows(connection, row -> table.read(row, 0, new PageBytes())));
    }
    return all;
  }

  /** Returns what is parked at a position. */
  List<Parked> parkedAt(Connection connection, long position) throws SQLException {
    return parked(connection, Query.of(reads, reads.in(PARKED_AT), position));
  }

  private List<Parked> parked(Connection connection, Query places) throws SQLException {
    record Place(Reader owner, long position, UUID id) {}
    List<Place> found =
        places
            .and(" LIMIT ?", ROWS_MAX)
            .rows(
                connection,
                row ->
                    new Place(
                        new Reader(Kind.SUBSCRIPTION, row.getString(1), row.getInt(2)),
                        row.getLong(3),
                        reads.values().uuid(row, 4)))
            .stream()
            .distinct()
            .toList();
    List<Parked> all = new ArrayList<>();
    for (Place place : found) {
      ParkedSource table = new ParkedSource(reads, place.owner());
      all.addAll(
          table
              .select(0)
              .and(" AND p.position = ? AND p.id = ?", place.position(), place.id())
              .rows(connection, row -> table.read(row, 0, new PageBytes())));
    }
    return all;
  }

  /**
   * Says why no message has an id, as far as that can be told from the window that was searched.
   */
  Reason id(Connection connection, UUID id, MessageSearch search) throws SQLException {
    Instant made = Ledger.timeOf(id);
    LedgerState state = ledger.state(connection);
    Point oldest = state.oldest();
    Point newest = state.newest();
    String searched =
        "no message has id "
            + id
            + (search.from() > search.to()
                ? ", since the ledger is empty"
                : " at positions " + search.from() + " to " + search.to());
    if (made == null) {
      return Reasons.plain(
          Reason.Kind.NOT_FOUND,
          "",
          searched + "; the id tells no time: list messages with this id to search on");
    }
    boolean isOlder = state.purgedTo() > 0 && (oldest == null || made.isBefore(oldest.time()));
    if (isOlder) {
      return Reasons.plain(
          Reason.Kind.REMOVED,
          "",
          searched
              + "; it was made at "
              + Reasons.at(made)
              + ", and retention has removed messages of that time, up to position "
              + state.purgedTo());
    }
    String when = "; it was made at " + Reasons.at(made);
    String last =
        newest != null && made.isAfter(newest.time())
            ? ", after the newest message that is visible"
            : "";
    return Reasons.plain(
        Reason.Kind.NOT_FOUND,
        "",
        searched
            + when
            + last
            + ": its transaction has not committed, or was rolled back; "
            + reads.blockers(connection));
  }

  /** Says why no message is visible at a position. */
  Reason position(Connection connection, long position, List<SubscriptionState> subscriptions)
      throws SQLException {
    long purgedTo = ledger.purgedTo(connection);
    long lastNumber = ledger.lastNumber(connection);
    if (position <= purgedTo) {
      return Reasons.plain(
          Reason.Kind.REMOVED, "", "retention has removed the messages up to position " + purgedTo);
    }
    if (position > lastNumber || position < 1) {
      return Reasons.plain(
          Reason.Kind.NOT_FOUND,
          "",
          "no writer has drawn position " + position + "; the last one is " + lastNumber);
    }
    if (!subscriptions.isEmpty() && !isOpen(connection, position, subscriptions)) {
      return Reasons.plain(
          Reason.Kind.ROLLED_BACK,
          "",
          "position "
              + position
              + " has no message, and none will come: its transaction was rolled back, or somebody"
              + " has deleted it");
    }
    return Reasons.plain(
        Reason.Kind.NOT_COMMITTED,
        "",
        "position "
            + position
            + " was drawn, and no message is visible there: its transaction has not committed, or"
            + " was rolled back; "
            + reads.blockers(connection));
  }

  /** Returns whether a subscription still waits for a position. */
  private boolean isOpen(
      Connection connection, long position, List<SubscriptionState> subscriptions)
      throws SQLException {
    for (SubscriptionState state : subscriptions) {
      boolean isOpen =
          state.cursor().high() < position
              || Query.of(
                      reads,
                      reads.sql().openRanges(),
                      state.name(),
                      state.cursor().partition(),
                      Count.MAX)
                  .rows(connection, row -> row.getLong(1) <= position && position <= row.getLong(2))
                  .contains(true);
      if (isOpen) {
        return true;
      }
    }
    return false;
  }
}
