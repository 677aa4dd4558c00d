// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.Message;
import io.outledger.frontier.Frontier;
import io.outledger.store.FailedAttempt;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import io.outledger.store.PauseScope;
import io.outledger.store.Pauses;
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
    this(new TreeMap<>(ParkedPlace.byPosition()));
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
      ParkedRow before = rows.get(place);
      boolean isWithdrawn = before != null && before.message().withdrawn();
      ParkedRow after = row(park, before == null ? now : before.message().parkedAt(), now);
      rows.put(place, isWithdrawn ? after.withdrawn() : after);
    } else if (change instanceof ParkedChange.Fail fail) {
      rows.computeIfPresent(place, (same, row) -> failed(row, fail, now));
    } else if (change instanceof ParkedChange.Remove) {
      rows.remove(place);
    }
  }

  /** Returns the table without the rows of messages that are to be read again. */
  ParkedTable without(Predicate<ParkedMessage> readAgain) {
    ParkedTable left = copy();
    left.rows.values().removeIf(row -> readAgain.test(row.message()));
    return left;
  }

  /**
   * Returns the table in which rows of earlier ledgers count that the ledger was emptied.
   *
   * @param isOfEarlier whether a row that has counted nothing yet is of an earlier ledger
   * @param isAnother whether the ledger is certainly another one than the subscription has read
   */
  ParkedTable emptied(Predicate<ParkedMessage> isOfEarlier, boolean isAnother) {
    ParkedTable counted = copy();
    counted.rows.replaceAll(
        (place, row) -> {
          boolean counts =
              row.message().emptied() > 0 ? isAnother : isOfEarlier.test(row.message());
          return counts ? row.emptiedOnceMore() : row;
        });
    return counted;
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
            before.unreadable(),
            before.withdrawn(),
            before.emptied(),
            before.parkedAt());
    boolean isToGo = row.request() == ParkedRow.Request.DISCARD;
    return new ParkedRow(
        after,
        fail.error(),
        nextAttemptAt(fail.retryIn(), now),
        isToGo ? ParkedRow.Request.DISCARD : ParkedRow.Request.NONE,
        attempts(row.attempts(), after, fail.error(), fail.attempt(), now));
  }

  private static ParkedRow row(ParkedChange.Park park, @Nullable Instant since, Instant now) {
    ParkedMessage given = park.message();
    ParkedMessage message =
        new ParkedMessage(
            given.position(),
            given.route(),
            given.message(),
            given.state(),
            given.attempts(),
            given.blocks(),
            given.unreadable(),
            given.withdrawn(),
            given.emptied(),
            since);
    return new ParkedRow(
        message,
        park.error(),
        nextAttemptAt(park.retryIn(), now),
        ParkedRow.Request.NONE,
        attempts(List.of(), message, park.error(), park.attempt(), now));
  }

  private static List<ParkedAttempt> attempts(
      List<ParkedAttempt> before,
      ParkedMessage row,
      @Nullable String error,
      @Nullable FailedAttempt made,
      Instant now) {
    return made == null
        ? before
        : ParkedAttempt.add(before, new ParkedAttempt(row.attempts(), now, made.took(), error));
  }

  private static @Nullable Instant nextAttemptAt(@Nullable Duration retryIn, Instant now) {
    return retryIn == null ? null : now.plus(retryIn);
  }

  List<ParkedMessage> due(Set<String> routes, Set<ParkedPlace> except, int limit, Instant now) {
    return rows.values().stream()
        .filter(row -> row.isDue(now) && !row.message().withdrawn())
        .filter(row -> routes.contains(row.message().route()))
        .filter(row -> !except.contains(ParkedPlace.of(row.message())))
        .sorted(Comparator.comparing(ParkedRow::since))
        .limit(limit)
        .map(ParkedRow::message)
        .sorted(Comparator.comparingLong(ParkedMessage::position))
        .toList();
  }

  /** Makes rows due that wait for the end of a pause which does not hold any more. */
  int makeDue(Pauses pauses, int limit, Instant now) {
    List<ParkedPlace> places =
        rows.entrySet().stream()
            .filter(entry -> entry.getValue().isUntilResumed())
            .filter(entry -> !covers(pauses, entry.getValue().message().message()))
            .limit(limit)
            .map(Map.Entry::getKey)
            .toList();
    places.forEach(place -> rows.computeIfPresent(place, (same, row) -> row.dueAt(now)));
    return places.size();
  }

  private static boolean covers(Pauses pauses, Message message) {
    return pauses.current().keySet().stream()
        .anyMatch(
            scope ->
                (scope.kind() == PauseScope.Kind.TOPIC && scope.name().equals(message.topic()))
                    || (scope.kind() == PauseScope.Kind.KEY && scope.name().equals(message.key())));
  }

  Map<String, Long> elsewhere(Set<String> routes) {
    return rows.keySet().stream()
        .map(ParkedPlace::route)
        .filter(route -> !routes.contains(route))
        .collect(Collectors.groupingBy(route -> route, Collectors.counting()));
  }

  /** Returns those of the earliest ledger. */
  List<ParkedMessage> held(String route, String key, int limit) {
    List<ParkedRow> held =
        rows.values().stream()
            .filter(row -> row.message().state() == ParkedState.HELD)
            .filter(row -> row.message().route().equals(route))
            .filter(row -> key.equals(row.message().message().key()))
            .toList();
    int earliest = held.stream().mapToInt(row -> row.message().emptied()).max().orElse(0);
    return held.stream()
        .map(ParkedRow::message)
        .filter(row -> row.emptied() == earliest)
        .limit(limit)
        .toList();
  }

  List<ParkedMessage> discards(ParkedPlace after, int limit) {
    return rows.values().stream()
        .filter(row -> row.request() == ParkedRow.Request.DISCARD)
        .map(ParkedRow::message)
        .filter(message -> message.withdrawn() || message.state() != ParkedState.HELD)
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
    List<ParkedPlace> places =
        rows.keySet().stream()
            .filter(place -> place.position() == position && place.route().equals(route))
            .toList();
    if (places.size() > 1) {
      throw new IllegalStateException("several messages are parked there, name one: " + places);
    }
    if (places.isEmpty()) {
      throw noneAt(position, route);
    }
    request(places.get(0), asked);
  }

  void request(ParkedPlace place, ParkedRow.Request asked) {
    ParkedRow row = rows.get(place);
    if (row == null || row.message().state() == ParkedState.HELD) {
      throw noneAt(place.position(), place.route());
    }
    rows.put(place, row.requested(asked));
  }

  void withdraw(Predicate<ParkedMessage> which) {
    rows.replaceAll((place, row) -> which.test(row.message()) ? row.withdrawn() : row);
  }

  /** Parks copies that are due at once, and returns how many: one that is parked stays as it is. */
  int replay(String route, NavigableMap<Long, Message> messages, Instant now) {
    int before = rows.size();
    messages.forEach(
        (position, message) ->
            rows.putIfAbsent(
                new ParkedPlace(route, position, message.id()),
                ParkedRow.copy(position, route, message, now)));
    return rows.size() - before;
  }

  private static IllegalStateException noneAt(long position, String route) {
    return new IllegalStateException(
        "no dead or retrying message is parked at position %s in route '%s'"
            .formatted(position, route));
  }
}
