// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.Message;
import io.outledger.chaos.history.CommitOutcome;
import io.outledger.chaos.history.Entry;
import io.outledger.testing.InMemoryTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Transactions that lock keys, append, and are committed in any order, or rolled back. */
final class DividedWriters {

  private static final double ROLLED_BACK = 0.15;
  private static final double WITHOUT_KEY = 0.1;

  private final DividedWorld world;
  private final List<Open> open = new ArrayList<>();
  private final Map<String, Long> counters = new HashMap<>();
  private final Set<String> locked = new HashSet<>();
  private int made;

  /** A transaction, with what it has written. */
  private record Open(
      InMemoryTransaction transaction, Map<String, Long> counters, List<Entry.Wrote> written) {}

  DividedWriters(DividedWorld world) {
    this.world = world;
  }

  boolean isDone() {
    return made >= world.plan().messages && open.isEmpty();
  }

  /** Takes a turn. */
  void act() {
    Choices choices = world.choices();
    boolean mayBegin =
        made < world.plan().messages && open.size() < world.plan().openTransactionsMax;
    if (mayBegin && (open.isEmpty() || choices.chance(0.4))) {
      open.add(new Open(world.ledger().begin(), new HashMap<>(), new ArrayList<>()));
    } else if (!open.isEmpty()) {
      Open one = choices.pick(open);
      if (choices.chance(0.5)) {
        append(one);
      } else {
        end(one, choices.chance(ROLLED_BACK));
      }
    }
  }

  /** Ends what is open, and appends nothing more. */
  void finish() {
    made = world.plan().messages;
    List.copyOf(open).forEach(one -> end(one, false));
  }

  private void append(Open one) {
    String key = "k" + world.choices().between(1, world.plan().keys);
    boolean isKeyed = !world.choices().chance(WITHOUT_KEY);
    if (isKeyed && !one.counters().containsKey(key) && !locked.add(key)) {
      return;
    }
    made++;
    UUID id = new UUID(0x7000L, 0x8000_0000_0000_0000L | made);
    long before = one.counters().getOrDefault(key, counters.getOrDefault(key, 0L));
    long counter = isKeyed ? before + 1 : 0;
    Message.Builder message =
        Message.to("work", "work.done").id(id).time(world.time().database().now());
    if (isKeyed) {
      message.key(key);
      one.counters().put(key, counter);
    }
    long position = one.transaction().append(message.build()).get(0);
    world.tell("writer", () -> "draws " + position + " for " + Words.message(id));
    one.written().add(new Entry.Wrote(isKeyed ? key : null, counter, id, CommitOutcome.UNKNOWN));
  }

  private void end(Open one, boolean rollBack) {
    open.remove(one);
    one.written().forEach(world.journal()::write);
    if (rollBack) {
      one.transaction().rollback();
    } else {
      one.transaction().commit();
      counters.putAll(one.counters());
    }
    locked.removeAll(one.counters().keySet());
    CommitOutcome outcome = rollBack ? CommitOutcome.ROLLED_BACK : CommitOutcome.COMMITTED;
    one.written()
        .forEach(
            each ->
                world
                    .journal()
                    .write(new Entry.Wrote(each.key(), each.counter(), each.id(), outcome)));
  }
}
