// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.jdbc.admin.ParkedRequest;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.ParkedStatus;
import io.outledger.jdbc.spi.ParkedStore;
import io.outledger.postgresql.OwnTransaction.Kind;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/** Lists parked messages and records an operator's requests. */
final class ParkedRequests implements ParkedStore {

  // Filters on the rows of one subscription, each with one parameter: null lets all pass.
  private static final String FITTING =
      """
           AND d.state = coalesce(?::text, d.state) AND d.route = coalesce(?::text, d.route)
           AND d.type = coalesce(?::text, d.type) AND d.topic = coalesce(?::text, d.topic)
           AND d.key IS NOT DISTINCT FROM coalesce(?::text, d.key)
           AND strpos(coalesce(d.error, ''), coalesce(?::text, '')) > 0\
      """;

  // The primary key, in its order.
  private static final String LIST =
      """
      SELECT %s, p.error, p.requested, p.parked_at, p.next_attempt_at
        FROM (SELECT d.* FROM {schema}.outledger_parked d
               WHERE d.subscription = ? AND d.partition = 0
                 AND (d.position, d.route, d.id) > (?, ?, ?)
      %s
               ORDER BY d.position, d.route, d.id LIMIT ?) p
       ORDER BY p.position, p.route, p.id\
      """
          .formatted(ParkedReads.COLUMNS, FITTING);

  // The primary key. A held message is not asked for: the one before it is.
  private static final String REQUEST =
      """
      UPDATE {schema}.outledger_parked
         SET requested = ?, changed_at = clock_timestamp()
       WHERE subscription = ? AND partition = 0 AND position = ? AND route = ? AND id = ?
         AND state <> 'held'\
      """;

  // The first rows from a place on, up to a limit, by their addresses: an array is built once,
  // whatever the planner believes; a join with the rows was planned as a loop over all of them.
  // Rows that the owner is changing are skipped: waiting for them while holding others could end
  // the owner's save in a deadlock.
  private static final String REQUEST_NEXT =
      """
      WITH chosen AS MATERIALIZED (
        SELECT d.ctid AS address, d.position, d.route, d.id FROM {schema}.outledger_parked d
         WHERE d.subscription = ? AND d.partition = 0 AND d.state <> 'held'
           AND (d.position, d.route, d.id) > (?, ?, ?)
      %s
         ORDER BY d.position, d.route, d.id LIMIT ? FOR UPDATE SKIP LOCKED),
      asked AS (
        UPDATE {schema}.outledger_parked p
           SET requested = ?, changed_at = clock_timestamp()
         WHERE p.ctid = ANY (ARRAY(SELECT chosen.address FROM chosen))
        RETURNING p.position)
      SELECT chosen.route, chosen.position, chosen.id, (SELECT count(*) FROM asked)
        FROM chosen ORDER BY chosen.position, chosen.route, chosen.id\
      """
          .formatted(FITTING);

  // The primary key.
  private static final String PLACES =
      """
      SELECT p.route, p.position, p.id FROM {schema}.outledger_parked p
       WHERE p.subscription = ? AND p.partition = 0 AND p.position = ? ORDER BY p.route, p.id\
      """;

  // The primary key, all of the subscription.
  private static final String ALL_ROUTES =
      """
      SELECT DISTINCT p.route FROM {schema}.outledger_parked p
       WHERE p.subscription = ? AND p.partition = 0\
      """;

  private final DataSource dataSource;
  private final Tables tables;

  ParkedRequests(DataSource dataSource, Tables tables) {
    this.dataSource = dataSource;
    this.tables = tables;
  }

  @Override
  public List<ParkedStatus> list(
      String subscription, ParkedSelection selection, ParkedPlace after, int limit) {
    return OwnTransaction.run(
        dataSource,
        Kind.READS,
        "listing parked messages of " + subscription,
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(tables.in(LIST))) {
            statement.setString(1, subscription);
            bind(statement, 2, after);
            statement.setInt(bind(statement, 5, selection), limit);
            return read(statement);
          }
        });
  }

  @Override
  public boolean request(String subscription, ParkedRequest request, ParkedPlace place) {
    String what = request.stored();
    return OwnTransaction.run(
        dataSource,
        Kind.CHANGES,
        "requesting to " + what + " position " + place.position() + " of " + subscription,
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(tables.in(REQUEST))) {
            statement.setString(1, what);
            statement.setString(2, subscription);
            bind(statement, 3, place);
            return statement.executeUpdate() > 0;
          }
        });
  }

  @Override
  public Requested requestNext(
      String subscription,
      ParkedRequest request,
      ParkedSelection selection,
      ParkedPlace after,
      int limit) {
    String what = request.stored();
    return OwnTransaction.run(
        dataSource,
        Kind.CHANGES,
        "requesting to " + what + " parked messages of " + subscription,
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(tables.in(REQUEST_NEXT))) {
            statement.setString(1, subscription);
            bind(statement, 2, after);
            int next = bind(statement, 5, selection);
            statement.setInt(next, limit);
            statement.setString(next + 1, what);
            return requested(statement, after);
          }
        });
  }

  @Override
  public Set<String> subscriptions() {
    return OwnTransaction.run(
        dataSource,
        Kind.READS,
        "looking up the names of subscriptions",
        connection -> SubscriptionNames.read(connection, tables));
  }

  @Override
  public List<ParkedPlace> placesAt(String subscription, long position) {
    return OwnTransaction.run(
        dataSource,
        Kind.READS,
        "looking up position " + position + " of " + subscription,
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(tables.in(PLACES))) {
            statement.setString(1, subscription);
            statement.setLong(2, position);
            List<ParkedPlace> places = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
              while (rows.next()) {
                places.add(place(rows));
              }
            }
            return places;
          }
        });
  }

  @Override
  public Set<String> routes(String subscription) {
    return OwnTransaction.run(
        dataSource,
        Kind.READS,
        "looking up the routes of " + subscription,
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(tables.in(ALL_ROUTES))) {
            statement.setString(1, subscription);
            Set<String> names = new HashSet<>();
            try (ResultSet rows = statement.executeQuery()) {
              while (rows.next()) {
                names.add(rows.getString(1));
              }
            }
            return names;
          }
        });
  }

  private static void bind(PreparedStatement statement, int first, ParkedPlace place)
      throws SQLException {
    statement.setLong(first, place.position());
    statement.setString(first + 1, place.route());
    statement.setObject(first + 2, place.id());
  }

  private static ParkedPlace place(ResultSet row) throws SQLException {
    return new ParkedPlace(row.getString(1), row.getLong(2), row.getObject(3, UUID.class));
  }

  /** Binds the filters, and returns the number of the parameter after them. */
  private static int bind(PreparedStatement statement, int first, ParkedSelection selection)
      throws SQLException {
    ParkedState state = selection.state();
    int at = first;
    statement.setString(at++, state == null ? null : state.name().toLowerCase(Locale.ROOT));
    statement.setString(at++, selection.route());
    statement.setString(at++, selection.type());
    statement.setString(at++, selection.topic());
    statement.setString(at++, selection.key());
    statement.setString(at++, selection.errorText());
    return at;
  }

  private static Requested requested(PreparedStatement statement, ParkedPlace after)
      throws SQLException {
    Requested step = new Requested(0, 0, after);
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        step = new Requested(step.found() + 1, rows.getInt(4), place(rows));
      }
    }
    return step;
  }

  private static List<ParkedStatus> read(PreparedStatement statement) throws SQLException {
    List<ParkedStatus> all = new ArrayList<>();
    MessageReader reader = MessageReader.ofParked();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        OffsetDateTime next = rows.getObject(17, OffsetDateTime.class);
        all.add(
            new ParkedStatus(
                ParkedReads.read(rows, reader),
                rows.getString(14),
                ParkedRequest.of(rows.getString(15)),
                rows.getObject(16, OffsetDateTime.class).toInstant(),
                next == null ? null : next.toInstant()));
      }
    }
    return all;
  }
}
