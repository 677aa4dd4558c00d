// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import io.outledger.jdbc.admin.Count;
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
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** The two tables of what is parked, as one: which rows of an owner, in which order, by place. */
final class ParkedSource {

  private static final int MESSAGE_FROM = 16;

  private static final String STATE_COLUMNS =
      ", p.state, p.attempts, p.blocks, p.error, p.requested, p.parked_at, p.next_attempt_at, ";

  /** What identifies a row: its number, route and id, and source, key space and id of a message. */
  private static final String OF_SUBSCRIPTION =
      "p.position, p.route, p.id, '' AS source, '' AS key_space, '' AS message_id";

  private static final String OF_CONSUMER =
      "p.number, '' AS route, '' AS id, p.source, p.key_space, p.message_id";

  /** What is withdrawn of a consumer's messages is removed at once; a replay is the ledger's. */
  private static final String NEVER = "FALSE AS withdrawn, FALSE AS replayed, ";

  // One step along the primary key.
  private static final String LAST_PARTITION =
      "SELECT MAX(p.partition_no) FROM {schema}.outledger_parked p WHERE p.subscription = ?";

  private final AdminReads reads;
  private final AdminSql sql;
  private final Reader owner;
  private final List<Integer> partitions;

  /** Makes it for a consumer, or for one partition of a subscription. */
  ParkedSource(AdminReads reads, Reader owner) {
    this(reads, owner, List.of(owner.partition()));
  }

  private ParkedSource(AdminReads reads, Reader owner, List<Integer> partitions) {
    this.reads = reads;
    this.sql = reads.sql();
    this.owner = owner;
    this.partitions = partitions;
  }

  /** Returns that of an owner, with all partitions of a subscription unless it names one. */
  static ParkedSource of(Connection connection, AdminReads reads, Reader owner)
      throws SQLException {
    if (owner.isConsumer() || owner.partition() > 0) {
      return new ParkedSource(reads, owner);
    }
    long last = Query.of(reads, reads.in(LAST_PARTITION), owner.name()).number(connection);
    return last == 0
        ? new ParkedSource(reads, owner)
        : new ParkedSource(
            reads, owner, IntStream.rangeClosed(1, Math.toIntExact(last)).boxed().toList());
  }

  /** Returns the beginning of a query for {@link #read}. */
  Query select(int payloadBytes) {
    String columns =
        owner.isConsumer()
            ? OF_CONSUMER + STATE_COLUMNS + NEVER
            : OF_SUBSCRIPTION + STATE_COLUMNS + "p.withdrawn, p.replayed, ";
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

  // A range of the primary key, or one for each partition.
  private Query from(Query query) {
    return owner.isConsumer()
        ? query.and(
            reads.in(" FROM {schema}.outledger_inbox_parked p WHERE p.consumer = ?"), owner.name())
        : query
            .and(
                reads.in(" FROM {schema}.outledger_parked p WHERE p.subscription = ?"),
                owner.name())
            .and(
                " AND p.partition_no IN ("
                    + String.join(", ", Collections.nCopies(partitions.size(), "?"))
                    + ")",
                partitions.toArray());
  }

  /**
   * Returns the last row that a call looks at, of those after a place; empty where it looks at all
   * of them.
   */
  Optional<ParkedPoint> end(Connection connection, ParkedPoint after) throws SQLException {
    return bound(connection, one -> one.inOrder(one.after(one.places(), after)), this::inOrder);
  }

  /** The same backwards: the first row that it looks at, of those up to a place. */
  Optional<ParkedPoint> begin(Connection connection, ParkedPoint upTo) throws SQLException {
    return bound(connection, one -> one.inReverse(one.upTo(one.places(), upTo)), this::inReverse);
  }

  /**
   * Looks at as many rows of each partition as make up {@value Count#MAX} in all, along the primary
   * key: of what is within the nearest of the bounds, none has more. To sort all rows of all
   * partitions would cost each page as much as there is.
   */
  private Optional<ParkedPoint> bound(
      Connection connection, Function<ParkedSource, Query> rows, UnaryOperator<Query> order)
      throws SQLException {
    Query nearest = Query.of(reads, "SELECT p.* FROM (");
    for (int i = 0; i < partitions.size(); i++) {
      ParkedSource one = new ParkedSource(reads, owner, partitions.subList(i, i + 1));
      nearest
          .and(i == 0 ? "SELECT * FROM (" : " UNION ALL SELECT * FROM (")
          .and(rows.apply(one))
          .and(" LIMIT 1 OFFSET ?) p" + i, Count.MAX / partitions.size() - 1);
    }
    return order.apply(nearest.and(") p")).and(" LIMIT 1").first(connection, this::place);
  }

  /** Adds that only rows after a place are wanted. */
  Query after(Query query, ParkedPoint place) {
    return owner.isConsumer()
        ? query.and(" AND p.number > ?", place.number())
        : query.and(
            " AND p.position >= ? AND (p.position, p.route, p.id) > (?, ?, ?)",
            place.number(),
            place.number(),
            place.route(),
            place.id());
  }

  /** Adds that only rows up to a place are wanted. */
  Query upTo(Query query, ParkedPoint place) {
    return owner.isConsumer()
        ? query.and(" AND p.number <= ?", place.number())
        : query.and(
            " AND p.position <= ? AND (p.position, p.route, p.id) <= (?, ?, ?)",
            place.number(),
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
        row.getBoolean(15),
        reads.values().time(row, 12),
        state == ParkedState.RETRYING ? reads.values().readTime(row, 13) : null);
  }
}
