// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.jdbc.ParkedStatus;
import io.outledger.jdbc.spi.ParkedStore;
import io.outledger.postgresql.OwnTransaction.Kind;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;

/** Lists parked messages and notes what an operator asks for. */
final class ParkedRequests implements ParkedStore {

  // The primary key, in its order.
  private static final String LIST =
      """
      SELECT %s, p.error, p.requested, p.parked_at, p.next_attempt_at
        FROM {schema}.outledger_parked p
       WHERE p.subscription = ? AND p.partition = 0 AND p.position > ? AND p.state = ?
       ORDER BY p.position, p.lane LIMIT ?\
      """
          .formatted(ParkedReads.COLUMNS);

  // The primary key. A held message is not asked for: the one before it is.
  private static final String REQUEST =
      """
      UPDATE {schema}.outledger_parked
         SET requested = ?, changed_at = clock_timestamp()
       WHERE subscription = ? AND partition = 0 AND position = ? AND lane = ?
         AND state <> 'held'\
      """;

  // The first so many from a place on, by their addresses: an array is made once, whatever the
  // planner believes, and a join with the rows was planned to look for all of them again for each.
  // What the owner is changing just now is left to it: to wait for it while others are locked could
  // end its save in a deadlock.
  private static final String REQUEST_NEXT =
      """
      WITH chosen AS MATERIALIZED (
        SELECT d.ctid AS address, d.position, d.lane FROM {schema}.outledger_parked d
         WHERE d.subscription = ? AND d.partition = 0 AND d.state = 'dead'
           AND (d.position, d.lane) > (?, ?)
         ORDER BY d.position, d.lane LIMIT ? FOR UPDATE SKIP LOCKED),
      asked AS (
        UPDATE {schema}.outledger_parked p
           SET requested = 'retry', changed_at = clock_timestamp()
         WHERE p.ctid = ANY (ARRAY(SELECT chosen.address FROM chosen))
        RETURNING p.position)
      SELECT chosen.position, chosen.lane, (SELECT count(*) FROM asked)
        FROM chosen ORDER BY chosen.position, chosen.lane\
      """;

  private final DataSource dataSource;
  private final Tables tables;

  ParkedRequests(DataSource dataSource, Tables tables) {
    this.dataSource = dataSource;
    this.tables = tables;
  }

  @Override
  public List<ParkedStatus> list(String subscription, ParkedState state, long above, int limit) {
    return OwnTransaction.run(
        dataSource,
        Kind.READS,
        "listing parked messages of " + subscription,
        connection -> list(connection, subscription, state, above, limit));
  }

  @Override
  public boolean request(String subscription, Request request, ParkedPlace place) {
    String what = request.name().toLowerCase(Locale.ROOT);
    return OwnTransaction.run(
        dataSource,
        Kind.CHANGES,
        "asking to " + what + " position " + place.position() + " of " + subscription,
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(tables.in(REQUEST))) {
            statement.setString(1, what);
            statement.setString(2, subscription);
            statement.setLong(3, place.position());
            statement.setString(4, place.lane());
            return statement.executeUpdate() > 0;
          }
        });
  }

  @Override
  public Requested retryNext(String subscription, ParkedPlace after, int limit) {
    return OwnTransaction.run(
        dataSource,
        Kind.CHANGES,
        "asking for a retry of " + subscription,
        connection -> retryNext(connection, subscription, after, limit));
  }

  private Requested retryNext(
      Connection connection, String subscription, ParkedPlace after, int limit)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(tables.in(REQUEST_NEXT))) {
      statement.setString(1, subscription);
      statement.setLong(2, after.position());
      statement.setString(3, after.lane());
      statement.setInt(4, limit);
      Requested step = new Requested(0, 0, after);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          ParkedPlace place = new ParkedPlace(rows.getString(2), rows.getLong(1));
          step = new Requested(step.found() + 1, rows.getInt(3), place);
        }
      }
      return step;
    }
  }

  private List<ParkedStatus> list(
      Connection connection, String subscription, ParkedState state, long above, int limit)
      throws SQLException {
    List<ParkedStatus> all = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(tables.in(LIST))) {
      statement.setString(1, subscription);
      statement.setLong(2, above);
      statement.setString(3, state.name().toLowerCase(Locale.ROOT));
      statement.setInt(4, limit);
      MessageReader reader = MessageReader.ofParked();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          OffsetDateTime next = rows.getObject(17, OffsetDateTime.class);
          all.add(
              new ParkedStatus(
                  ParkedReads.read(rows, reader),
                  rows.getString(14),
                  rows.getString(15),
                  rows.getObject(16, OffsetDateTime.class).toInstant(),
                  next == null ? null : next.toInstant()));
        }
      }
    }
    return all;
  }
}
