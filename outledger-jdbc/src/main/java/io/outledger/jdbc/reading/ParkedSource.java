// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import io.outledger.jdbc.admin.Parked;
import io.outledger.jdbc.admin.ParkedPoint;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.ParkedRequest;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.spi.AdminReads;
import io.outledger.jdbc.spi.AdminSql;
import io.outledger.store.ParkedState;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;

/** The two tables of what is parked, as one: which rows of an owner, in which order, by place. */
final class ParkedSource {

  private static final int MESSAGE_FROM = 15;

  private static final String STATE_COLUMNS =
      ", p.state, p.attempts, p.blocks, p.error, p.requested, p.parked_at, p.next_attempt_at, ";

  /** What identifies a row: its number, route and id, and source, key space and id of a message. */
  private static final String OF_SUBSCRIPTION =
      "p.position, p.route, p.id, '' AS source, '' AS key_space, '' AS message_id";

  private static final String OF_CONSUMER =
      "p.number, '' AS route, '' AS id, p.source, p.key_space, p.message_id";

  /** What is withdrawn of a consumer's messages is removed at once. */
  private static final String NEVER = "FALSE AS withdrawn, ";

  // One step along the primary key.
  private static final String PARTITIONS =
      """
      SELECT 1 FROM {schema}.outledger_parked p
       WHERE p.subscription = ? AND p.partition_no > 0 LIMIT 1\
      """;

  private final AdminReads reads;
  private final AdminSql sql;
  private final Reader owner;
  private final boolean isEveryPartition;

  /** Makes it for a consumer, or for one partition of a subscription. */
  ParkedSource(AdminReads reads, Reader owner) {
    this(reads, owner, false);
  }

  private ParkedSource(AdminReads reads, Reader owner, boolean isEveryPartition) {
    this.reads = reads;
    this.sql = reads.sql();
    this.owner = owner;
    this.isEveryPartition = isEveryPartition;
  }

  /** Returns that of an owner, with all partitions of a subscription unless it names one. */
  static ParkedSource of(Connection connection, AdminReads reads, Reader owner)
      throws SQLException {
    boolean isWhole = !owner.isConsumer() && owner.partition() == 0;
    return new ParkedSource(
        reads,
        owner,
        isWhole
            && Query.of(reads, reads.in(PARTITIONS), owner.name())
                .first(connection, row -> row.getInt(1))
                .isPresent());
  }

  /** Returns the beginning of a query for {@link #read}. */
  Query select(int payloadBytes) {
    String columns =
        owner.isConsumer()
            ? OF_CONSUMER + STATE_COLUMNS + NEVER
            : OF_SUBSCRIPTION + STATE_COLUMNS + "p.withdrawn, ";
    return payloadBytes == 0
        ? from(Query.of(reads, "SELECT " + columns + MessageColumns.of("p", null)))
        : from(
            Query.of(
                reads,
                "SELECT " + columns + MessageColumns.of("p", sql.payloadCut()),
                payloadBytes));
  }

  /** Returns the beginning of a query for the places of rows. */
  Query places() {
    return from(Query.of(reads, "SELECT " + (owner.isConsumer() ? OF_CONSUMER : OF_SUBSCRIPTION)));
  }

  /** Returns the beginning of a query for something else of the owner's rows. */
  Query select(String columns) {
    return from(Query.of(reads, "SELECT " + columns));
  }

  // Both: a range of the primary key.
  private Query from(Query query) {
    return owner.isConsumer()
        ? query.and(
            reads.in(" FROM {schema}.outledger_inbox_parked p WHERE p.consumer = ?"), owner.name())
        : query.and(
            reads.in(
                " FROM {schema}.outledger_parked p WHERE p.subscription = ? AND p.partition_no "
                    + (isEveryPartition ? "> ?" : "= ?")),
            owner.name(),
            owner.partition());
  }

  /** Adds that only rows after a place are wanted. */
  Query after(Query query, ParkedPoint place) {
    return owner.isConsumer()
        ? query.and(" AND p.number > ?", place.number())
        : query.and(
            " AND (p.position, p.route, p.id) > (?, ?, ?)",
            place.number(),
            place.route(),
            place.id());
  }

  /** Adds that only rows up to a place are wanted. */
  Query upTo(Query query, ParkedPoint place) {
    return owner.isConsumer()
        ? query.and(" AND p.number <= ?", place.number())
        : query.and(
            " AND (p.position, p.route, p.id) <= (?, ?, ?)",
            place.number(),
            place.route(),
            place.id());
  }

  /** Adds the order of places. */
  Query inOrder(Query query) {
    return query.and(
        owner.isConsumer() ? " ORDER BY p.number" : " ORDER BY p.position, p.route, p.id");
  }

  /** Adds the order of places, the last first. */
  Query inReverse(Query query) {
    return query.and(
        owner.isConsumer()
            ? " ORDER BY p.number DESC"
            : " ORDER BY p.position DESC, p.route DESC, p.id DESC");
  }

  /** Adds that only rows of a key are wanted that are not held themselves. */
  Query waitedFor(Query query, Parked held) {
    return query
        .and(" AND p.message_key = ? AND p.state <> 'held'", String.valueOf(held.message().key()))
        .andIf(owner.isConsumer() ? null : held.place().route(), " AND p.route = ?");
  }

  /** Adds what a query filters, except for the group of failures. */
  Query fitting(Query query, ParkedQuery wanted) {
    ParkedSelection selection = wanted.selection();
    ParkedState state = selection.state();
    return query
        .andIf(state == null ? null : stored(state), " AND p.state = ?")
        .andIf(owner.isConsumer() ? null : selection.route(), " AND p.route = ?")
        .andIf(selection.type(), " AND p.type = ?")
        .andIf(selection.topic(), " AND p.topic = ?")
        .andIf(selection.key(), " AND p.message_key = ?")
        .andIf(selection.errorText(), " AND " + sql.contains().formatted("p.error"))
        .andIf(wanted.parkedBefore(), " AND p.parked_at < ?");
  }

  static String stored(ParkedState state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  /** Reads a row's place. */
  ParkedPoint place(ResultSet row) throws SQLException {
    return owner.isConsumer()
        ? ParkedPoint.ofConsumer(row.getLong(1))
        : new ParkedPoint(row.getLong(1), row.getString(2), reads.values().uuid(row, 3));
  }

  Parked read(ResultSet row, int payloadBytes, PageBytes bytes) throws SQLException {
    ParkedPoint place = place(row);
    MessageColumns.Identity identity =
        owner.isConsumer()
            ? new MessageColumns.Identity(row.getString(6), row.getString(4), row.getString(5))
            : new MessageColumns.Identity(place.id().toString(), "", "");
    ParkedState state = ParkedState.valueOf(row.getString(7).toUpperCase(Locale.ROOT));
    String error = row.getString(10);
    bytes.add(error == null ? 0 : 2L * error.length());
    return new Parked(
        owner,
        place,
        MessageColumns.read(
            new MessageColumns.Place(reads.values(), row, MESSAGE_FROM),
            identity,
            payloadBytes,
            bytes),
        state,
        row.getInt(8),
        row.getBoolean(9),
        error,
        ParkedRequest.of(row.getString(11)),
        row.getBoolean(14),
        reads.values().time(row, 12),
        state == ParkedState.RETRYING ? reads.values().readTime(row, 13) : null);
  }
}
