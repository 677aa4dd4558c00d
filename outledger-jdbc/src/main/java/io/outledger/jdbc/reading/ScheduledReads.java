// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import io.outledger.Require;
import io.outledger.jdbc.admin.Count;
import io.outledger.jdbc.admin.Listing;
import io.outledger.jdbc.admin.Reason;
import io.outledger.jdbc.admin.Scheduled;
import io.outledger.jdbc.admin.ScheduledPoint;
import io.outledger.jdbc.admin.ScheduledQuery;
import io.outledger.jdbc.admin.ScheduledState;
import io.outledger.jdbc.spi.AdminReads;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The messages that wait for their time. A call counts {@value Count#MAX} rows at most. */
public final class ScheduledReads {

  // All: ranges of outledger_scheduled_due, or an entry of the indexes on id and name.
  private static final String ROWS =
      """
      SELECT m.number, m.id, m.name, m.due_at, %s
        FROM (SELECT s.number, s.id, s.name, s.due_at, s.scheduled_at AS time, s.topic,
                     s.message_key, s.type, s.version, s.headers, s.payload
                FROM {schema}.outledger_scheduled s WHERE 1 = 1\
      """;
  private static final String FIRST = " ORDER BY s.due_at, s.number LIMIT ?";
  private static final String IN_ORDER = ") m ORDER BY m.due_at, m.number";
  private static final String NEXT =
      """
      SELECT s.due_at, {now} FROM {schema}.outledger_scheduled s
       ORDER BY s.due_at, s.number LIMIT 1\
      """;
  private static final String WAITING =
      "SELECT COUNT(*) FROM (SELECT 1 AS found FROM {schema}.outledger_scheduled s LIMIT ?) s";
  private static final String DUE =
      """
      SELECT COUNT(*)
        FROM (SELECT 1 AS found FROM {schema}.outledger_scheduled s
               WHERE s.due_at <= (SELECT {now}) LIMIT ?) s\
      """;

  private static final int IDENTITY_COLUMNS = 4;

  private final AdminReads reads;

  /** Makes it, without I/O. */
  public ScheduledReads(AdminReads reads) {
    this.reads = Require.nonNull("reads", reads);
  }

  /**
   * Returns the messages that wait and fit, those that are due first in front, and the place to go
   * on.
   *
   * @throws io.outledger.StoreException if the database failed
   */
  public Listing<Scheduled, ScheduledPoint> list(ScheduledQuery query) {
    Require.nonNull("query", query);
    return reads.read("listing scheduled messages", connection -> list(connection, query));
  }

  private Listing<Scheduled, ScheduledPoint> list(Connection connection, ScheduledQuery query)
      throws SQLException {
    PageBytes bytes = new PageBytes();
    Query text =
        Query.of(reads, reads.in(ROWS.formatted(MessageColumns.of("m", null))))
            .andIf(query.id(), " AND s.id = ?")
            .andIf(query.name(), " AND s.name = ?");
    ScheduledPoint after = query.after();
    if (after != null) {
      text =
          text.and(
              " AND s.due_at >= ? AND (s.due_at > ? OR s.number > ?)",
              after.dueAt(),
              after.dueAt(),
              after.number());
    }
    List<Scheduled> rows = new ArrayList<>();
    text.and(FIRST, query.limit())
        .and(IN_ORDER)
        .read(
            connection,
            row -> {
              rows.add(scheduled(row, bytes));
              return !bytes.isFull();
            });
    boolean isFull = rows.size() == query.limit() || bytes.isFull();
    return new Listing<>(rows, isFull ? rows.get(rows.size() - 1).place() : null);
  }

  /** Returns why a message waits that has an id; empty where none waits. */
  Optional<Reason> waiting(Connection connection, UUID id) throws SQLException {
    return list(connection, ScheduledQuery.ALL.withId(id)).rows().stream()
        .findFirst()
        .map(
            one ->
                Reasons.reason(
                    Reason.Kind.SCHEDULED,
                    "",
                    "message " + id + " is scheduled, and due at " + one.dueAt(),
                    Reasons.Evidence.NONE,
                    one.dueAt()));
  }

  private Scheduled scheduled(ResultSet row, PageBytes bytes) throws SQLException {
    String id = reads.values().uuid(row, 2).toString();
    return new Scheduled(
        row.getLong(1),
        MessageColumns.read(
            new MessageColumns.Place(reads.values(), row, IDENTITY_COLUMNS + 1),
            new MessageColumns.Identity(id, "", ""),
            0,
            bytes),
        reads.values().time(row, IDENTITY_COLUMNS),
        row.getString(3));
  }

  /**
   * Returns how many wait, and are due.
   *
   * @throws io.outledger.StoreException if the database failed
   */
  public ScheduledState state() {
    return reads.read("counting scheduled messages", this::state);
  }

  ScheduledState state(Connection connection) throws SQLException {
    record Next(Instant dueAt, Instant now) {}
    Optional<Next> next =
        Query.of(reads, reads.in(NEXT))
            .first(
                connection,
                row -> new Next(reads.values().time(row, 1), reads.values().time(row, 2)));
    return new ScheduledState(
        count(connection, WAITING),
        count(connection, DUE),
        next.map(Next::dueAt).orElse(null),
        next.map(each -> late(each.dueAt(), each.now())).orElse(Duration.ZERO));
  }

  private static Duration late(Instant dueAt, Instant now) {
    return dueAt.isBefore(now) ? Duration.between(dueAt, now) : Duration.ZERO;
  }

  private Count count(Connection connection, String text) throws SQLException {
    return Count.of(Query.of(reads, reads.in(text), Count.MAX + 1).number(connection));
  }
}
