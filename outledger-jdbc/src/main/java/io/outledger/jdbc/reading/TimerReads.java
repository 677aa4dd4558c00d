// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import io.outledger.jdbc.admin.SagaTimer;
import io.outledger.jdbc.admin.SagaTimer.Place;
import io.outledger.jdbc.spi.AdminReads;
import io.outledger.saga.SagaId;
import io.outledger.saga.SagaTimeout;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Where the messages of time-outs are. A message goes from what is scheduled to the ledger, and
 * from there to where it is parked or handled: looked for in this order, it is not missed on its
 * way.
 */
final class TimerReads {

  private static final int AT_ONCE = 500;

  // outledger_scheduled_id.
  private static final String SCHEDULED =
      "SELECT s.id, s.due_at FROM {schema}.outledger_scheduled s WHERE s.id IN (%s)";

  // As monitoring asks it; then a range of the primary key.
  private static final String LOWEST =
      "SELECT MIN(l.lowest) FROM {schema}.outledger_lag l WHERE l.subscription IS NOT NULL";
  private static final String UNSETTLED =
      """
      SELECT m.id FROM {schema}.outledger_message m
       WHERE m.position BETWEEN ? AND ? AND m.id IN (%s)\
      """;

  // What is parked is few.
  private static final String PARKED =
      "SELECT p.id, p.route, p.state FROM {schema}.outledger_parked p WHERE p.id IN (%s)";
  private static final String RECEIVED =
      """
      SELECT q.message_id, q.consumer, q.state FROM {schema}.outledger_inbox_parked q
       WHERE q.message_id IN (%s)\
      """;

  // The primary key.
  private static final String VERSION =
      "SELECT s.version FROM {schema}.outledger_saga s WHERE s.saga = ? AND s.saga_key = ?";

  private final AdminReads reads;
  private final Ledger ledger;

  TimerReads(AdminReads reads) {
    this.reads = reads;
    this.ledger = new Ledger(reads);
  }

  /** A saga that was read, and the time-outs that its row names. */
  record Waiting(SagaId id, long version, List<SagaTimeout> timeouts) {}

  /** Returns the time-outs of sagas, by saga. */
  Map<SagaId, List<SagaTimer>> of(Connection connection, List<Waiting> sagas) throws SQLException {
    Set<UUID> left = new HashSet<>();
    sagas.forEach(saga -> saga.timeouts().forEach(each -> left.add(each.token())));
    Map<UUID, Instant> scheduled = scheduled(connection, left);
    left.removeAll(scheduled.keySet());
    Set<UUID> underway = unsettled(connection, left);
    left.removeAll(underway);
    Map<Parking, Place> parked = parked(connection, left);
    Map<SagaId, List<SagaTimer>> all = new HashMap<>();
    for (Waiting saga : sagas) {
      List<SagaTimer> timers = new ArrayList<>();
      for (SagaTimeout each : saga.timeouts()) {
        Instant due = scheduled.getOrDefault(each.token(), each.due());
        Place place =
            scheduled.containsKey(each.token())
                ? Place.SCHEDULED
                : underway.contains(each.token())
                    ? Place.UNDERWAY
                    : parked.getOrDefault(new Parking(each.token(), saga.id().saga()), Place.GONE);
        timers.add(new SagaTimer(each.name(), each.token(), due, place));
      }
      all.put(saga.id(), changed(connection, saga, timers) ? underway(timers) : timers);
    }
    return all;
  }

  /** Returns whether the saga has moved since it was read, so that what it waits for is past. */
  private boolean changed(Connection connection, Waiting saga, List<SagaTimer> timers)
      throws SQLException {
    return timers.stream().anyMatch(each -> each.place() == Place.GONE)
        && Query.of(reads, reads.in(VERSION), saga.id().saga(), saga.id().key()).number(connection)
            != saga.version();
  }

  private static List<SagaTimer> underway(List<SagaTimer> timers) {
    return timers.stream()
        .map(
            each ->
                each.place() == Place.GONE
                    ? new SagaTimer(each.name(), each.id(), each.due(), Place.UNDERWAY)
                    : each)
        .toList();
  }

  private Map<UUID, Instant> scheduled(Connection connection, Set<UUID> ids) throws SQLException {
    Map<UUID, Instant> found = new HashMap<>();
    for (List<UUID> some : portions(ids)) {
      Query.of(reads, in(SCHEDULED, some), some.toArray())
          .read(
              connection,
              row -> {
                found.put(reads.values().uuid(row, 1), reads.values().time(row, 2));
                return true;
              });
    }
    return found;
  }

  /** Returns what is not settled; where that is too much to be looked through, all of them. */
  private Set<UUID> unsettled(Connection connection, Set<UUID> ids) throws SQLException {
    if (ids.isEmpty()) {
      return Set.of();
    }
    long from = Query.of(reads, reads.in(LOWEST)).number(connection);
    Ledger.Window all = ledger.all(connection);
    long to = Math.max(from, all.from()) + LedgerPages.SCANNED;
    if (all.to() > to) {
      return new HashSet<>(ids);
    }
    Set<UUID> found = new HashSet<>();
    for (List<UUID> some : portions(ids)) {
      List<Object> values = new ArrayList<>(List.of(from, to));
      values.addAll(some);
      found.addAll(
          Query.of(reads, in(UNSETTLED, some), values.toArray())
              .rows(connection, row -> reads.values().uuid(row, 1)));
    }
    return found;
  }

  /** A message that is parked, and the handler or consumer of which it is. */
  private record Parking(UUID id, String handler) {}

  private Map<Parking, Place> parked(Connection connection, Set<UUID> ids) throws SQLException {
    Map<Parking, Place> found = new HashMap<>();
    for (List<UUID> some : portions(ids)) {
      Query.of(reads, in(PARKED, some), some.toArray())
          .read(connection, row -> add(found, reads.values().uuid(row, 1), row));
      Object[] texts = some.stream().map(UUID::toString).toArray();
      Query.of(reads, in(RECEIVED, some), texts)
          .read(connection, row -> add(found, UUID.fromString(row.getString(1)), row));
    }
    return found;
  }

  private static boolean add(Map<Parking, Place> found, UUID id, ResultSet row)
      throws SQLException {
    Place place = row.getString(3).equals("dead") ? Place.DEAD : Place.PARKED;
    found.merge(
        new Parking(id, row.getString(2)), place, (one, other) -> one == Place.DEAD ? one : other);
    return true;
  }

  private String in(String text, List<UUID> ids) {
    return reads.in(text.formatted(String.join(", ", Collections.nCopies(ids.size(), "?"))));
  }

  private static List<List<UUID>> portions(Set<UUID> ids) {
    List<UUID> all = List.copyOf(ids);
    List<List<UUID>> portions = new ArrayList<>();
    for (int i = 0; i < all.size(); i += AT_ONCE) {
      portions.add(all.subList(i, Math.min(all.size(), i + AT_ONCE)));
    }
    return portions;
  }
}
