// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Given;
import io.outledger.Name;
import io.outledger.StoreException;
import io.outledger.jdbc.OwnTransaction.Kind;
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

/**
 * What an operator does with the parked messages of a subscription: look, retry, discard. A request
 * is only noted here; the owner of the subscription, who knows the blocked keys, carries it out.
 * Thread-safe.
 */
public final class ParkedMessages {

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

  private static final int REQUESTS_A_STEP = 1000;

  private final DataSource dataSource;
  private final String subscription;
  private final Tables tables;

  private ParkedMessages(DataSource dataSource, Tables tables, String subscription) {
    this.dataSource = dataSource;
    this.tables = tables;
    this.subscription = Name.check("subscription", subscription);
  }

  /**
   * Creates it for a subscription in a schema, without I/O.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-006} where a name is not valid
   */
  public static ParkedMessages of(DataSource dataSource, String schema, String subscription) {
    return new ParkedMessages(dataSource, new Tables(schema), subscription);
  }

  /**
   * Returns parked messages in order of position.
   *
   * @param state only those in this state
   * @param above only those at positions above this one, for the next page; 0 at first
   * @param limit at most this many
   * @throws StoreException where the database failed
   */
  public List<ParkedStatus> list(ParkedState state, long above, int limit) {
    Given.check("state", state);
    return OwnTransaction.run(
        dataSource,
        Kind.READS,
        "listing parked messages of " + subscription,
        connection -> list(connection, state, above, limit));
  }

  /**
   * Asks that a dead letter be tried again, or a retrying message now.
   *
   * @return whether there was one
   * @throws StoreException where the database failed
   */
  public boolean retry(long position, String lane) {
    return request("retry", position, Given.check("lane", lane));
  }

  /**
   * Asks that a message that is dead or retrying be discarded permanently. An attempt that is under
   * way is finished first, and if it succeeds the message is published.
   *
   * @return whether there was one
   * @throws StoreException where the database failed
   */
  public boolean discard(long position, String lane) {
    return request("discard", position, Given.check("lane", lane));
  }

  /**
   * Asks that every dead letter be tried again, a thousand in each transaction.
   *
   * @return how many were asked for; not those that their owner was just changing
   * @throws StoreException where the database failed; some may have been asked for
   */
  public int retryAll() {
    int count = 0;
    Requested step = new Requested(0, 0, ParkedPlace.FIRST);
    do {
      ParkedPlace from = step.last();
      step =
          OwnTransaction.run(
              dataSource,
              Kind.CHANGES,
              "asking for a retry of " + subscription,
              connection -> requestNext(connection, from));
      count += step.asked();
    } while (step.found() == REQUESTS_A_STEP);
    return count;
  }

  /** What one step has found, how many of that it has asked for, and the last one's place. */
  private record Requested(int found, int asked, ParkedPlace last) {}

  private Requested requestNext(Connection connection, ParkedPlace from) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(tables.in(REQUEST_NEXT))) {
      statement.setString(1, subscription);
      statement.setLong(2, from.position());
      statement.setString(3, from.lane());
      statement.setInt(4, REQUESTS_A_STEP);
      Requested step = new Requested(0, 0, from);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          ParkedPlace place = new ParkedPlace(rows.getString(2), rows.getLong(1));
          step = new Requested(step.found() + 1, rows.getInt(3), place);
        }
      }
      return step;
    }
  }

  private boolean request(String what, long position, String lane) {
    return OwnTransaction.run(
        dataSource,
        Kind.CHANGES,
        "asking to " + what + " position " + position + " of " + subscription,
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(tables.in(REQUEST))) {
            statement.setString(1, what);
            statement.setString(2, subscription);
            statement.setLong(3, position);
            statement.setString(4, lane);
            return statement.executeUpdate() > 0;
          }
        });
  }

  private List<ParkedStatus> list(Connection connection, ParkedState state, long above, int limit)
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
