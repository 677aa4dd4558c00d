// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.frontier.Frontier;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The parked messages of one subscription. Guarded by its ledger. */
final class ParkedTable {

  private final NavigableMap<ParkedPlace, ParkedRow> rows;

  ParkedTable() {
    this(
        new TreeMap<>(
            Comparator.comparingLong(ParkedPlace::position).thenComparing(ParkedPlace::route)));
  }

  private ParkedTable(NavigableMap<ParkedPlace, ParkedRow> rows) {
    this.rows = rows;
  }

  ParkedTable copy() {
    return new ParkedTable(new TreeMap<>(rows));
  }

  /** Returns the table after all of the changes; this one stays as it is, for a roll-back. */
  ParkedTable with(List<ParkedChange> changes, Instant now) {
    if (changes.isEmpty()) {
      return this;
    }
    ParkedTable changed = copy();
    for (ParkedChange change : changes) {
      changed.make(change, now);
    }
    return changed;
  }

  private void make(ParkedChange change, Instant now) {
    ParkedPlace place = ParkedPlace.of(change);
    if (change instanceof ParkedChange.Park park) {
      rows.put(place, row(park.message(), park.error(), park.retryIn(), now));
    } else if (isOf(rows.get(place), change)) {
      if (change instanceof ParkedChange.Fail fail) {
        rows.computeIfPresent(place, (same, row) -> failed(row, fail, now));
      } else {
        rows.remove(place);
      }
    }
  }

  /** Whether a row is of the message that a change is of: another one may be parked there since. */
  private static boolean isOf(@Nullable ParkedRow row, ParkedChange change) {
    return row != null && row.message().message().id().equals(change.id());
  }

  /** Returns the table without the rows of messages that are to be read again. */
  ParkedTable without(Predicate<ParkedMessage> readAgain) {
    ParkedTable left = copy();
    left.rows.values().removeIf(row -> readAgain.test(row.message()));
    return left;
  }

  /** Returns the table with negative positions for some, in their order and below all others. */
  ParkedTable apart(Predicate<ParkedMessage> ofEarlierLedger) {
    ParkedTable apart = copy();
    List<ParkedRow> those =
        rows.descendingMap().values().stream()
            .filter(row -> row.message().position() > 0 && ofEarlierLedger.test(row.message()))
            .toList();
    long next = rows.isEmpty() ? 0 : Math.min(0, rows.firstKey().position());
    long last = 0;
    for (ParkedRow row : those) {
      long position = row.message().position();
      next = position == last ? next : next - 1;
      last = position;
      apart.rows.remove(ParkedPlace.of(row.message()));
      ParkedRow moved = row.at(next);
      apart.rows.put(ParkedPlace.of(moved.message()), moved);
    }
    return apart;
  }

  /** Returns the places of rows whose messages, as a frontier has it, are to be read. */
  List<ParkedPlace> among(Frontier frontier, Predicate<ParkedMessage> isThere) {
    return rows.values().stream()
        .map(ParkedRow::message)
        .filter(message -> !frontier.isSettled(message.position()) && isThere.test(message))
        .map(ParkedPlace::of)
        .toList();
  }

  private static ParkedRow failed(ParkedRow row, ParkedChange.Fail fail, Instant now) {
    ParkedMessage before = row.message();
    ParkedMessage after =
        new ParkedMessage(
            before.position(),
            before.route(),
            before.message(),
            fail.state(),
            fail.attempts(),
            fail.blocks(),
            before.unreadable());
    ParkedRow failed = row(after, fail.error(), fail.retryIn(), now);
    boolean isToGo = row.request() == ParkedRow.Request.DISCARD;
    return isToGo ? failed.requested(ParkedRow.Request.DISCARD) : failed;
  }

  private static ParkedRow row(
      ParkedMessage message, @Nullable String error, @Nullable Duration retryIn, Instant now) {
    Instant nextAttemptAt = retryIn == null ? null : now.plus(retryIn);
    return new ParkedRow(message, error, nextAttemptAt, ParkedRow.Request.NONE);
  }

  List<ParkedMessage> due(Set<String> routes, Set<ParkedPlace> except, int limit, Instant now) {
    return rows.values().stream()
        .filter(row -> row.isDue(now) && routes.contains(row.message().route()))
        .filter(row -> !except.contains(ParkedPlace.of(row.message())))
        .sorted(Comparator.comparing(ParkedRow::since))
        .limit(limit)
        .map(ParkedRow::message)
        .sorted(Comparator.comparingLong(ParkedMessage::position))
        .toList();
  }

  Map<String, Long> elsewhere(Set<String> routes) {
    return rows.keySet().stream()
        .map(ParkedPlace::route)
        .filter(route -> !routes.contains(route))
        .collect(Collectors.groupingBy(route -> route, Collectors.counting()));
  }

  List<ParkedMessage> held(String route, String key, long above, int limit) {
    return select(
        row ->
            row.message().state() == ParkedState.HELD
                && row.message().position() > above
                && row.message().route().equals(route)
                && key.equals(row.message().message().key()),
        limit);
  }

  List<ParkedMessage> discards(ParkedPlace after, int limit) {
    return rows.values().stream()
        .filter(row -> row.request() == ParkedRow.Request.DISCARD)
        .map(ParkedRow::message)
        .filter(message -> message.state() != ParkedState.HELD)
        .filter(message -> ParkedPlace.of(message).compareTo(after) > 0)
        .sorted(Comparator.comparing(ParkedPlace::of))
        .limit(limit)
        .sorted(Comparator.comparingLong(ParkedMessage::position))
        .toList();
  }

  List<ParkedRow> all() {
    return List.copyOf(rows.values());
  }

  void request(long position, String route, ParkedRow.Request asked) {
    ParkedPlace place = new ParkedPlace(route, position);
    ParkedRow row = rows.get(place);
    if (row == null || row.message().state() == ParkedState.HELD) {
      throw new IllegalStateException(
          "no dead or retrying message is parked at position "
              + position
              + " in route '"
              + route
              + "'");
    }
    rows.put(place, row.requested(asked));
  }

  private List<ParkedMessage> select(Predicate<ParkedRow> condition, int limit) {
    return rows.values().stream().filter(condition).limit(limit).map(ParkedRow::message).toList();
  }
}
