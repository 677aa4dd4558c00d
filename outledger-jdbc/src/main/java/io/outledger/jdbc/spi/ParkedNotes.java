// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import io.outledger.jdbc.admin.ParkedRequest;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.spi.NearestRows.Search;
import io.outledger.store.ParkedPlace;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Notes an operator's request at parked messages, for the relay or the receiver that owns them to
 * carry out, and tells what has become of them: the same on every database. Every method works in
 * the caller's transaction. Nothing here changes a message's state. Thread-safe.
 *
 * <p>A row keeps the id of the last request that was noted at it, and how many attempts had failed
 * by then: while the flag is there, or no further attempt has failed, the request waits for it. A
 * row that is gone has come through, or was discarded, or a later request was noted at it, which
 * replaces the earlier one.
 *
 * @param <P> where a message is parked: {@link ParkedPlace} of a subscription, {@link Long} of a
 *     consumer
 */
public abstract sealed class ParkedNotes<P> {

  // No statement tells what failed alike: so many rows are read for it at a time.
  private static final int LOOKED_AT_MAX = 1_000;

  private static final String NOTED =
      "requested = ?, request_id = ?, request_attempts = attempts, changed_at = {now}";

  final SqlNaming naming;
  private final String table;
  private final String isOpen;
  private final RowAddress rows;
  private final NotedRows noted;

  private ParkedNotes(
      SqlNaming naming, String table, String place, String isOpen, RowAddress rows) {
    this.naming = Require.nonNull("naming", naming);
    this.table = "{schema}." + table;
    this.isOpen = isOpen;
    this.rows = Require.nonNull("rows", rows);
    this.noted = new NotedRows(naming, this.table, place, rows);
  }

  /**
   * Which messages.
   *
   * @param selection what they have to fit
   * @param parkedUntil when they must have been parked, at the latest
   */
  public record Filter(ParkedSelection selection, Instant parkedUntil) {

    /** Checks what is given: {@code OUT-021} if something is null. */
    public Filter {
      Require.nonNull("selection", selection);
      Require.nonNull("parkedUntil", parkedUntil);
    }
  }

  /**
   * What is noted.
   *
   * @param request the request's id
   * @param what what is asked for
   */
  public record Note(UUID request, ParkedRequest what) {

    /** Checks what is given: {@code OUT-021} if something is null. */
    public Note {
      Require.nonNull("request", request);
      Require.nonNull("what", what);
    }
  }

  /**
   * What has become of the messages at which a request was noted, each counted up to a bound.
   *
   * @param waiting how many the owner has still to carry out
   * @param failed how many have failed again
   */
  public record Left(long waiting, long failed) {}

  /** Returns the place before all others. */
  public abstract P first();

  /** Returns how many messages fit, or the limit where they are more. */
  public final long count(Connection transaction, Filter filter, long limit) throws SQLException {
    ParkedConditions conditions = new ParkedConditions(Require.nonNull("filter", filter));
    if (!conditions.isToldBySql()) {
      return countOneByOne(transaction, conditions, limit);
    }
    List<@Nullable Object> values = new ArrayList<>();
    String where = where(conditions, first(), values);
    String sql =
        "SELECT COUNT(*) FROM (SELECT 1 AS one FROM " + table + where + " LIMIT ?) fitting";
    values.add(limit);
    try (PreparedStatement statement = bound(transaction, sql, values);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  private long countOneByOne(Connection transaction, ParkedConditions conditions, long limit)
      throws SQLException {
    long count = 0;
    Found<P> found = new Found<>(List.of(), List.of(), first(), false);
    while (!found.isEnd() && count < limit) {
      found = find(transaction, conditions, found.last(), LOOKED_AT_MAX, "");
      count += found.places().size();
    }
    return Math.min(count, limit);
  }

  /**
   * Notes a request at the next messages that fit, in order of their places; what the owner is just
   * changing is passed over, and not waited for.
   *
   * @param after only those behind this place
   * @param limit at most this many
   */
  public final NotedPlaces<P> noteNext(
      Connection transaction, Note note, Filter filter, P after, int limit) throws SQLException {
    Require.nonNull("transaction", transaction);
    Require.nonNull("note", note);
    Require.nonNull("after", after);
    Found<P> found =
        find(
            transaction,
            new ParkedConditions(Require.nonNull("filter", filter)),
            after,
            limit,
            rows.skipLocked());
    String update = naming.in(updating(NOTED, rows.isAt()));
    try (PreparedStatement statement = transaction.prepareStatement(update)) {
      for (String address : found.addresses()) {
        bind(statement, note);
        statement.setString(3, address);
        statement.addBatch();
      }
      statement.executeBatch();
    }
    return new NotedPlaces<>(found.places(), found.last(), found.isEnd());
  }

  private record Found<P>(List<P> places, List<String> addresses, P last, boolean isEnd) {}

  /** Finds the next that fit, among a bounded number of rows. */
  private Found<P> find(
      Connection transaction, ParkedConditions conditions, P after, int limit, String lock)
      throws SQLException {
    int lookedAtMax = conditions.isToldBySql() ? limit : LOOKED_AT_MAX;
    List<@Nullable Object> values = new ArrayList<>();
    String columns = placeColumns() + ", p.error AS error, " + rows.address() + " AS address";
    String where = where(conditions, after, values);
    Optional<NearestRows<P>> bound = bound(transaction, conditions, after, lookedAtMax);
    bound.ifPresent(each -> values.addAll(each.values()));
    String sql =
        "SELECT %s FROM %s%s%s ORDER BY %s LIMIT ?%s"
            .formatted(
                columns,
                table,
                where,
                bound.map(NearestRows::sql).orElse(""),
                placeColumns(),
                lock);
    values.add(lookedAtMax);
    List<P> places = new ArrayList<>();
    List<String> addresses = new ArrayList<>();
    P last = after;
    int lookedAt = 0;
    try (PreparedStatement statement = bound(transaction, sql, values);
        ResultSet found = statement.executeQuery()) {
      while (places.size() < limit && found.next()) {
        last = place(found);
        lookedAt++;
        if (conditions.fits(found.getString("error"))) {
          places.add(last);
          addresses.add(found.getString("address"));
        }
      }
    }
    boolean hasAll = places.size() < limit && lookedAt < lookedAtMax;
    P end = hasAll ? bound.map(NearestRows::last).orElse(last) : last;
    return new Found<>(places, addresses, end, hasAll && bound.isEmpty());
  }

  /**
   * Notes a request at one message that is dead or retrying, whatever was asked of it before.
   *
   * @return whether there is one
   */
  public final boolean note(Connection transaction, Note note, P place) throws SQLException {
    Require.nonNull("transaction", transaction);
    Require.nonNull("note", note);
    Require.nonNull("place", place);
    String update = naming.in(updating(NOTED, ofPlace() + isOpen));
    try (PreparedStatement statement = transaction.prepareStatement(update)) {
      bind(statement, note);
      bindPlace(statement, 3, place);
      return statement.executeUpdate() > 0;
    }
  }

  /**
   * Returns what has become of the messages at which a request was noted.
   *
   * @param limit up to how many are counted of those that wait, and of those that were tried
   */
  public final Left left(Connection transaction, UUID request, int limit) throws SQLException {
    Require.nonNull("transaction", transaction);
    return noted.left(transaction, Require.nonNull("request", request), limit);
  }

  /**
   * Takes a request back from messages that the owner has not carried it out for; what the owner is
   * just changing is passed over, and not waited for.
   *
   * @param limit at most this many
   */
  public final TakenBack takeBack(Connection transaction, UUID request, int limit)
      throws SQLException {
    Require.nonNull("transaction", transaction);
    return noted.takeBack(transaction, Require.nonNull("request", request), limit);
  }

  private void bind(PreparedStatement statement, Note note) throws SQLException {
    statement.setString(1, note.what().stored());
    naming.values().bind(statement, 2, note.request());
  }

  private String updating(String set, String where) {
    return "UPDATE " + table + " SET " + set + " WHERE " + where;
  }

  private String where(ParkedConditions conditions, P after, List<@Nullable Object> values) {
    return " p WHERE " + behind(after, values) + fitting(conditions, values);
  }

  private PreparedStatement bound(Connection transaction, String sql, List<?> values)
      throws SQLException {
    Require.nonNull("transaction", transaction);
    PreparedStatement statement = transaction.prepareStatement(naming.in(sql));
    naming.values().bind(statement, values.toArray());
    return statement;
  }

  /** Returns up to where a search looks; empty where the order of its index bounds it. */
  Optional<NearestRows<P>> bound(
      Connection transaction, ParkedConditions conditions, P after, int limit) throws SQLException {
    return Optional.empty();
  }

  final String fitting(ParkedConditions conditions, List<@Nullable Object> values) {
    StringBuilder fitting = new StringBuilder(isOpen);
    conditions.addTo(fitting, values);
    return fitting.toString();
  }

  abstract String placeColumns();

  abstract P place(ResultSet row) throws SQLException;

  abstract String behind(P after, List<@Nullable Object> values);

  abstract String ofPlace();

  abstract void bindPlace(PreparedStatement statement, int from, P place) throws SQLException;

  /** The parked messages of a subscription: the primary key, in its order. */
  public static final class OfSubscription extends ParkedNotes<ParkedPlace> {

    private final CursorKey key;
    private final String ofCursor;
    private final int partition;

    /**
     * Creates it, without I/O.
     *
     * @param naming the words of its schema
     * @param rows how rows are locked and found again
     * @param key the cursor; or all those of a divided subscription, whose messages are each in one
     * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
     */
    public OfSubscription(SqlNaming naming, RowAddress rows, CursorKey key) {
      super(naming, "outledger_parked", "position", " AND state <> 'held' AND NOT withdrawn", rows);
      this.key = Require.nonNull("key", key);
      this.ofCursor =
          "subscription = ? AND partition_no " + (key.isEveryPartition() ? "> ?" : "= ?");
      this.partition = key.isEveryPartition() ? 0 : key.partition();
    }

    @Override
    public ParkedPlace first() {
      return ParkedPlace.FIRST;
    }

    @Override
    String placeColumns() {
      return "p.position, p.route, p.id";
    }

    @Override
    ParkedPlace place(ResultSet row) throws SQLException {
      return new ParkedPlace(row.getString(2), row.getLong(1), naming.values().uuid(row, 3));
    }

    @Override
    String behind(ParkedPlace after, List<@Nullable Object> values) {
      values.addAll(List.of(key.subscription(), partition, after.position()));
      values.addAll(List.of(after.position(), after.route(), after.id()));
      // Not every database makes a range of the tuple.
      return "p." + ofCursor + " AND p.position >= ? AND (p.position, p.route, p.id) > (?, ?, ?)";
    }

    @Override
    Optional<NearestRows<ParkedPlace>> bound(
        Connection transaction, ParkedConditions conditions, ParkedPlace after, int limit)
        throws SQLException {
      List<@Nullable Object> values = new ArrayList<>();
      Search search = new Search(key, after, fitting(conditions, values), values);
      return NearestRows.find(transaction, naming, search, limit);
    }

    @Override
    String ofPlace() {
      return ofCursor + " AND position = ? AND route = ? AND id = ?";
    }

    @Override
    void bindPlace(PreparedStatement statement, int from, ParkedPlace place) throws SQLException {
      statement.setString(from, key.subscription());
      statement.setInt(from + 1, partition);
      statement.setLong(from + 2, place.position());
      statement.setString(from + 3, place.route());
      naming.values().bind(statement, from + 4, place.id());
    }
  }

  /** The parked messages of a consumer: the primary key, in its order. */
  public static final class OfConsumer extends ParkedNotes<Long> {

    private final String consumer;

    /**
     * Creates it, without I/O.
     *
     * @param naming the words of its schema
     * @param rows how rows are locked and found again
     * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
     */
    public OfConsumer(SqlNaming naming, RowAddress rows, String consumer) {
      super(naming, "outledger_inbox_parked", "number", " AND state <> 'held'", rows);
      this.consumer = Require.nonNull("consumer", consumer);
    }

    @Override
    public Long first() {
      return 0L;
    }

    @Override
    String placeColumns() {
      return "p.number";
    }

    @Override
    Long place(ResultSet row) throws SQLException {
      return row.getLong(1);
    }

    @Override
    String behind(Long after, List<@Nullable Object> values) {
      values.addAll(List.of(consumer, after));
      return "p.consumer = ? AND p.number > ?";
    }

    @Override
    String ofPlace() {
      return "consumer = ? AND number = ?";
    }

    @Override
    void bindPlace(PreparedStatement statement, int from, Long place) throws SQLException {
      statement.setString(from, consumer);
      statement.setLong(from + 1, place);
    }
  }
}
