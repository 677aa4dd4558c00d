// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.jdbc.admin.ParkedRequest;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.ParkedStatus;
import io.outledger.jdbc.spi.ParkedStore;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Lists parked messages and records an operator's requests. */
final class ParkedRequests implements ParkedStore {

  // Filters on the rows of one subscription: null lets all pass. That of the error has two
  // parameters, the others one.
  private static final String FITTING =
      """
           AND p.subscription = ? AND p.partition = 0
           AND p.state = COALESCE(CAST(? AS VARCHAR), p.state)
           AND p.route = COALESCE(CAST(? AS VARCHAR), p.route)
           AND p.type = COALESCE(CAST(? AS VARCHAR), p.type)
           AND p.topic = COALESCE(CAST(? AS VARCHAR), p.topic)
           AND p."KEY" IS NOT DISTINCT FROM COALESCE(CAST(? AS VARCHAR), p."KEY")
           AND (CAST(? AS VARCHAR) IS NULL
                OR LOCATE(CAST(? AS VARCHAR), COALESCE(p.error, '')) > 0)\
      """;

  // The primary key, in its order.
  private static final String LIST =
      """
      SELECT %s, p.error, p.requested, p.parked_at, p.next_attempt_at
        FROM {schema}.outledger_parked p
       WHERE (p.position, p.route, p.id) > (?, ?, ?)
      %s
       ORDER BY p.position, p.route, p.id LIMIT ?\
      """
          .formatted(ParkedReads.COLUMNS, FITTING);

  // The primary key. A held message is not asked for: the one before it is.
  private static final String REQUEST =
      """
      UPDATE {schema}.outledger_parked
         SET requested = ?, changed_at = CURRENT_TIMESTAMP
       WHERE subscription = ? AND partition = 0 AND position = ? AND route = ? AND id = ?
         AND state <> 'held'\
      """;

  // The primary key, in its order, from a place on. What the owner is changing just now is left to
  // it: to wait for it while others are locked could end its save in a deadlock.
  private static final String NEXT =
      """
      SELECT p.route, p.position, p.id FROM {schema}.outledger_parked p
       WHERE p.state <> 'held'
         AND (p.position, p.route, p.id) > (?, ?, ?)
      %s
       ORDER BY p.position, p.route, p.id LIMIT ? FOR UPDATE SKIP LOCKED\
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
        "listing parked messages of " + subscription,
        connection -> {
          MessageReader reader = new MessageReader(Long.MAX_VALUE);
          return Sql.of(connection, tables.in(LIST), values(subscription, selection, limit, after))
              .rows(row -> status(row, reader));
        });
  }

  private static ParkedStatus status(ResultSet row, MessageReader reader) throws SQLException {
    ParkedMessage parked = ParkedReads.read(row, reader);
    int at = ParkedReads.NEXT_COLUMN;
    OffsetDateTime next = row.getObject(at + 3, OffsetDateTime.class);
    return new ParkedStatus(
        parked,
        row.getString(at),
        ParkedRequest.of(row.getString(at + 1)),
        row.getObject(at + 2, OffsetDateTime.class).toInstant(),
        next == null ? null : next.toInstant());
  }

  @Override
  public boolean request(String subscription, ParkedRequest request, ParkedPlace place) {
    String what = request.stored();
    return OwnTransaction.run(
        dataSource,
        "asking to " + what + " position " + place.position() + " of " + subscription,
        connection -> request(connection, subscription, what, place));
  }

  /** Notes a request, and returns whether there was a message to note it for. */
  private boolean request(
      Connection connection, String subscription, String what, ParkedPlace place)
      throws SQLException {
    return Sql.of(
                connection,
                tables.in(REQUEST),
                what,
                subscription,
                place.position(),
                place.route(),
                place.id())
            .update()
        > 0;
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
        "requesting to " + what + " parked messages of " + subscription,
        connection -> {
          List<ParkedPlace> places =
              Sql.of(connection, tables.in(NEXT), values(subscription, selection, limit, after))
                  .rows(ParkedReads::place);
          int asked = 0;
          for (ParkedPlace place : places) {
            asked += request(connection, subscription, what, place) ? 1 : 0;
          }
          ParkedPlace last = places.isEmpty() ? after : places.get(places.size() - 1);
          return new Requested(places.size(), asked, last);
        });
  }

  @Override
  public Set<String> subscriptions() {
    return OwnTransaction.run(
        dataSource,
        "looking up the names of subscriptions",
        connection -> SubscriptionNames.read(connection, tables));
  }

  @Override
  public List<ParkedPlace> placesAt(String subscription, long position) {
    return OwnTransaction.run(
        dataSource,
        "looking up position " + position + " of " + subscription,
        connection ->
            Sql.of(connection, tables.in(PLACES), subscription, position).rows(ParkedReads::place));
  }

  @Override
  public Set<String> routes(String subscription) {
    return OwnTransaction.run(
        dataSource,
        "looking up the routes of " + subscription,
        connection ->
            Set.copyOf(
                Sql.of(connection, tables.in(ALL_ROUTES), subscription)
                    .rows(row -> row.getString(1))));
  }

  /** Returns all values of a statement: the place, the filters', and the limit. */
  private static @Nullable Object[] values(
      String subscription, ParkedSelection selection, int limit, ParkedPlace after) {
    ParkedState state = selection.state();
    List<@Nullable Object> values =
        new ArrayList<>(List.of(after.position(), after.route(), after.id()));
    values.add(subscription);
    values.add(state == null ? null : state.name().toLowerCase(Locale.ROOT));
    values.add(selection.route());
    values.add(selection.type());
    values.add(selection.topic());
    values.add(selection.key());
    values.add(selection.errorText());
    values.add(selection.errorText());
    values.add(limit);
    return values.toArray();
  }
}
