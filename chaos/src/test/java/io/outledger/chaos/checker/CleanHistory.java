// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.checker;

import io.outledger.chaos.history.CommitOutcome;
import io.outledger.chaos.history.Entry;
import io.outledger.frontier.Positions;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * A history in which everything that may happen has happened and nothing is wrong: roll-backs,
 * unknown commits of both kinds, a crash with duplicates, a dead letter, an overtaken message, a
 * hand-over, and an observer that started again. Anomalies are planted into it.
 */
final class CleanHistory {

  static final UUID FIRST = id(1);
  static final UUID SECOND = id(2);
  static final UUID THIRD = id(3);
  static final UUID ROLLED_BACK = id(4);
  static final UUID UNKNOWN_COMMITTED = id(5);
  static final UUID UNKNOWN_ROLLED_BACK = id(6);
  static final UUID DEAD = id(7);
  static final UUID OVERTAKEN = id(8);
  static final UUID OVERTAKER = id(9);
  static final UUID WITHOUT_KEY = id(10);
  static final UUID REQUEST = id(20);
  static final UUID RESTORED_AWAY = id(21);

  private final List<Entry> entries = new ArrayList<>();

  CleanHistory() {
    writers();
    database();
    observer();
    consumer();
  }

  static UUID id(long number) {
    return new UUID(0x7000, number);
  }

  List<Entry> entries() {
    return List.copyOf(entries);
  }

  CleanHistory add(Entry entry) {
    entries.add(entry);
    return this;
  }

  CleanHistory without(Predicate<Entry> condition) {
    entries.removeIf(condition);
    return this;
  }

  /** As if the message had been neither seen by the observer nor by the consumer. */
  CleanHistory unseen(UUID id) {
    return without(e -> e instanceof Entry.Arrived arrived && arrived.id().equals(id))
        .without(e -> e instanceof Entry.Effect effect && effect.id().equals(id));
  }

  /** As if the message had been seen by both once more, after all others. */
  CleanHistory seen(UUID id, long offset) {
    return add(new Entry.Arrived("orders-0", offset, id)).add(new Entry.Effect("stock", id));
  }

  Report check() {
    Checker checker = new Checker();
    entries.forEach(checker::accept);
    return checker.report();
  }

  private void writers() {
    wrote("a", 1, FIRST, CommitOutcome.COMMITTED);
    wrote("a", 2, SECOND, CommitOutcome.COMMITTED);
    wrote("a", 3, ROLLED_BACK, CommitOutcome.ROLLED_BACK);
    wrote("a", 3, THIRD, CommitOutcome.COMMITTED);
    wrote("b", 1, UNKNOWN_COMMITTED, CommitOutcome.UNKNOWN);
    wrote("b", 2, UNKNOWN_ROLLED_BACK, CommitOutcome.UNKNOWN);
    wrote("b", 2, DEAD, CommitOutcome.COMMITTED);
    wrote("c", 1, OVERTAKEN, CommitOutcome.COMMITTED);
    wrote("c", 2, OVERTAKER, CommitOutcome.COMMITTED);
    entries.add(new Entry.Wrote(null, 0, WITHOUT_KEY, CommitOutcome.COMMITTED));
  }

  private void wrote(String key, long counter, UUID id, CommitOutcome outcome) {
    entries.add(new Entry.Wrote(key, counter, id, CommitOutcome.UNKNOWN));
    entries.add(new Entry.Wrote(key, counter, id, outcome));
  }

  private void database() {
    List<UUID> stored =
        List.of(FIRST, SECOND, THIRD, UNKNOWN_COMMITTED, DEAD, OVERTAKEN, OVERTAKER, WITHOUT_KEY);
    for (int i = 0; i < stored.size(); i++) {
      entries.add(new Entry.Stored(stored.get(i), i + 1L));
    }
    entries.add(new Entry.Parked(DEAD, true, false));
    entries.add(new Entry.Cursor(stored.size() + 2L, Positions.NONE));
    entries.add(new Entry.Changed("cursor", 3, "late owner"));
    entries.add(new Entry.Changed("cursor", 1, "early owner"));
    entries.add(new Entry.Changed("cursor", 2, "early owner"));
    entries.add(new Entry.Asked(REQUEST));
    entries.add(new Entry.Asked(REQUEST)); // with the same id, where no answer came
    entries.add(new Entry.Audited(REQUEST, true));
    entries.add(new Entry.Asked(RESTORED_AWAY));
    entries.add(new Entry.Unasked(RESTORED_AWAY));
    entries.add(new Entry.Crashed("relay", 2));
    entries.add(new Entry.Figure("published", 7, 7));
    entries.add(new Entry.Left("connections", 1, 1));
  }

  private void observer() {
    List<UUID> arrivals =
        List.of(
            FIRST,
            SECOND,
            FIRST,
            SECOND,
            THIRD,
            OVERTAKER,
            OVERTAKEN,
            UNKNOWN_COMMITTED,
            WITHOUT_KEY);
    for (int i = 0; i < arrivals.size(); i++) {
      entries.add(new Entry.Acknowledged(arrivals.get(i)));
      entries.add(new Entry.Arrived("orders-0", i, arrivals.get(i)));
    }
    entries.add(new Entry.Arrived("orders-0", 4, THIRD));
    entries.add(new Entry.Overtaken(OVERTAKEN, OVERTAKER));
  }

  private void consumer() {
    entries.add(new Entry.Consumes("stock"));
    List.of(FIRST, SECOND, THIRD, OVERTAKER, OVERTAKEN, UNKNOWN_COMMITTED, WITHOUT_KEY)
        .forEach(id -> entries.add(new Entry.Effect("stock", id)));
  }
}
