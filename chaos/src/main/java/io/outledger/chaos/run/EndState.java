// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.run;

import io.outledger.chaos.checker.Checker;
import io.outledger.chaos.database.ShopSql;
import io.outledger.chaos.history.Entry;
import io.outledger.chaos.roles.RoleSettings;
import io.outledger.chaos.shop.Shop;
import io.outledger.frontier.Frontier;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Tells the checker what database, broker and effects hold at the end. Used once. */
final class EndState {

  /** What a predecessor had sent may be appended by the broker a moment after the take-over. */
  private static final long NETWORK_MS = 250;

  private static final int FETCH = 10_000;

  private final ShopSql sql;
  private final Checker checker;
  private final Times times = new Times();
  private final List<Handover> handovers = new ArrayList<>();
  private final Repeats repeats = new Repeats();
  private Audit.Counts counts = Audit.Counts.NONE;
  private long takenAtMs;
  private long leftAtHandover;

  /**
   * A cursor row by which an owner took the lease or gave it back.
   *
   * @param atMs when, by the clock that all processes here share
   * @param incarnation whose row it is
   * @param isTaken whether the lease was taken; otherwise it was given back
   */
  record Handover(long atMs, String incarnation, boolean isTaken) {}

  private EndState(ShopSql sql, Checker checker) {
    this.sql = sql;
    this.checker = checker;
  }

  /**
   * Tells all.
   *
   * @param restoredMs when the database was last restored to an earlier moment
   */
  static EndState tell(Shop shop, Checker checker, long restoredMs) throws SQLException {
    EndState state = new EndState(shop.database().product().sql(), checker);
    try (Connection connection = shop.connect()) {
      connection.setAutoCommit(false); // or the driver would hold all rows at once
      try (Statement statement = connection.createStatement()) {
        statement.setFetchSize(FETCH);
        Map<UUID, Long> positions = state.ledger(statement);
        state.arrivals(shop.kafka().bootstrapServers(), positions);
        state.parked(statement);
        state.dead(statement);
        state.owners(statement);
        state.cursor(statement);
        state.effects(statement);
        Audit audit = Audit.read(shop.asked(), state.sql, statement, checker);
        audit.tell(checker, restoredMs);
        state.counts = audit.counts();
        state.repeats.tell(audit.moves(), restoredMs, state.times, checker);
        state.repeats.tellAgain(audit.again(positions), state.times, checker, System.err::println);
      }
    }
    return state;
  }

  /** Returns when what arrived. */
  Times times() {
    return times;
  }

  /** Returns who took the lease and gave it back, in order. */
  List<Handover> handovers() {
    return List.copyOf(handovers);
  }

  /**
   * Returns how many messages had arrived under an owner that gave its lease back without having
   * settled them: its successor will send them again. Shown and not judged, since what a slower
   * predecessor sent may arrive then too, and is none of this owner's.
   */
  long leftAtHandover() {
    return leftAtHandover;
  }

  /** Returns how often the subscription was moved. */
  long moves() {
    return repeats.count();
  }

  /** Returns how much operators have asked for. */
  Audit.Counts asked() {
    return counts;
  }

  private Map<UUID, Long> ledger(Statement statement) throws SQLException {
    Map<UUID, Long> positions = new HashMap<>();
    try (ResultSet row =
        statement.executeQuery(
            """
            SELECT id, position FROM outledger_message
            UNION ALL SELECT id, position FROM purged\
            """)) {
      while (row.next()) {
        UUID id = sql.id(row, 1);
        positions.put(id, row.getLong(2));
        checker.accept(new Entry.Stored(id, row.getLong(2)));
      }
    }
    return positions;
  }

  private void arrivals(String bootstrapServers, Map<UUID, Long> positions) {
    TopicArrivals.read(
        bootstrapServers,
        arrival -> {
          checker.accept(new Entry.Arrived(arrival.partition(), arrival.offset(), arrival.id()));
          times.add(positions.getOrDefault(arrival.id(), 0L), arrival.atMs());
        });
  }

  private void parked(Statement statement) throws SQLException {
    try (ResultSet row =
        statement.executeQuery(
            "SELECT id, state, blocks FROM outledger_parked WHERE subscription = '%s'"
                .formatted(RoleSettings.SUBSCRIPTION))) {
      while (row.next()) {
        checker.accept(
            new Entry.Parked(sql.id(row, 1), row.getString(2).equals("dead"), row.getBoolean(3)));
      }
    }
  }

  private void dead(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("SELECT id, position FROM dead")) {
      while (row.next()) {
        checker.accept(new Entry.Released(sql.id(row, 1)));
        repeats.dead(row.getLong(2));
      }
    }
  }

  /**
   * A successor may send again what its predecessor had sent and not saved, and nothing else; where
   * the predecessor has handed over, nothing at all. Where an operator has moved the cursor, the
   * next owner sends again what lies beyond the cursor's new place.
   */
  private void owners(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql.owners())) {
      boolean isHandedOver = false;
      while (row.next()) {
        checker.accept(new Entry.Changed("cursor", row.getLong(1), row.getString(2)));
        boolean isTaken = row.getBoolean(3);
        boolean isReleased = row.getBoolean(6) && row.getLong(1) > 1; // the first was nobody's
        if (isTaken && isReleased) {
          repeats.moved(row.getLong(4), row.getLong(5));
          isHandedOver = false;
          continue;
        }
        repeats.saved(row.getLong(5));
        if (isTaken && !isHandedOver) {
          long inFlight = times.unsettled(sql.frontier(row), row.getLong(4) + NETWORK_MS);
          checker.accept(new Entry.Crashed("take-over " + row.getLong(1), inFlight));
        }
        if (isTaken) {
          takenAtMs = row.getLong(4);
        }
        if (isReleased) {
          Times.Span tenure = new Times.Span(takenAtMs + NETWORK_MS, row.getLong(4));
          leftAtHandover += times.unsettled(sql.frontier(row), tenure);
        }
        if (isTaken || isReleased) {
          handovers.add(new Handover(row.getLong(4), row.getString(2), isTaken));
        }
        isHandedOver = isReleased;
      }
    }
  }

  private void cursor(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql.cursor())) {
      row.next();
      Frontier frontier = sql.frontier(row);
      checker.accept(new Entry.Cursor(frontier.high(), frontier.open()));
    }
  }

  private void effects(Statement statement) throws SQLException {
    checker.accept(new Entry.Consumes(RoleSettings.CONSUMER));
    try (ResultSet row = statement.executeQuery("SELECT consumer, message_id FROM effect")) {
      while (row.next()) {
        checker.accept(new Entry.Effect(row.getString(1), sql.id(row, 2)));
      }
    }
  }
}
