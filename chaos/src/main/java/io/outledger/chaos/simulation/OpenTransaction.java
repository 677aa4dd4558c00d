// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.Message;
import io.outledger.chaos.history.CommitOutcome;
import io.outledger.testing.InMemoryTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A writer's transaction. What it appended after a savepoint may be undone while the rest commits.
 */
final class OpenTransaction {

  static final double LONG = 0.05;

  private final World world;
  private final Writers writers;
  private final InMemoryTransaction transaction;

  /** Holds the numbers that were rolled back to a savepoint, for as long as the rest is open. */
  private final InMemoryTransaction undone;

  private final boolean isLong;
  private final Set<Long> drawn = new HashSet<>();
  private boolean isPrepared;
  private long lowest = Long.MAX_VALUE;
  private final Map<String, Long> counters = new HashMap<>();
  private final List<Writers.Written> written = new ArrayList<>();
  private final List<Writers.Written> writtenAndUndone = new ArrayList<>();

  OpenTransaction(World world, Writers writers, boolean isLong) {
    this.world = world;
    this.writers = writers;
    this.transaction = world.ledger().begin();
    this.undone = world.ledger().begin();
    this.isLong = isLong;
    if (world.choices().chance(0.3)) {
      transaction.writeElsewhere();
    }
  }

  boolean isLong() {
    return isLong;
  }

  /** Returns the lowest position that it has drawn. */
  long lowest() {
    return lowest;
  }

  /** Prepares it, as in a transaction over several databases: it still ends in one of two ways. */
  void prepare() {
    isPrepared = true;
    world.tell("writer", () -> "prepares " + drawn);
  }

  boolean isPrepared() {
    return isPrepared;
  }

  boolean hasDrawn() {
    return !drawn.isEmpty();
  }

  /** Returns the positions that it has drawn and may still commit. */
  Set<Long> drawn() {
    return drawn;
  }

  /** Returns the ids by which the database knows it. */
  Set<Long> ids() {
    return Set.of(transaction.id(), undone.id());
  }

  Set<String> keys() {
    return counters.keySet();
  }

  void append() {
    Choices choices = world.choices();
    String key = "k" + choices.between(1, world.plan().keys);
    if (!counters.containsKey(key)) {
      if (!writers.lock(key)) {
        return;
      }
      counters.put(key, writers.counter(key));
    }
    if (choices.chance(0.1)) {
      drawn.addAll(transaction.append(world.message(Plan.NOISE, "ignored").key(key).build()));
    }
    appendTo(key, choices.chance(0.1));
  }

  /** Ends it, and returns the numbers of its keys that are in force from now on. */
  Map<String, Long> end(boolean rollBack) {
    boolean isUnknown = world.hasFaults() && world.choices().chance(world.plan().commitUnknown);
    boolean commits = !rollBack && !(isUnknown && world.choices().chance(0.5));
    written.forEach(one -> world.wrote(one.with(CommitOutcome.UNKNOWN)));
    writtenAndUndone.forEach(one -> world.wrote(one.with(CommitOutcome.ROLLED_BACK)));
    note(isUnknown, commits);
    undone.rollback();
    if (commits) {
      transaction.commit();
    } else {
      transaction.rollback();
    }
    if (!isUnknown) {
      CommitOutcome outcome = commits ? CommitOutcome.COMMITTED : CommitOutcome.ROLLED_BACK;
      written.forEach(one -> world.wrote(one.with(outcome)));
    }
    return commits ? counters : Map.of();
  }

  private void note(boolean isUnknown, boolean commits) {
    if (isUnknown) {
      world.note(Happening.UNKNOWN_COMMIT);
    }
    if (!commits && !written.isEmpty()) {
      world.note(Happening.ROLL_BACK);
    }
    if (commits
        && world.subscriptions().stream()
            .anyMatch(one -> one.inLedger().frontier().high() > lowest)) {
      world.note(Happening.LATE_COMMIT);
    }
  }

  private void appendTo(String key, boolean toBeUndone) {
    long counter = counters.getOrDefault(key, 0L) + 1;
    Message message = writers.message(Writers.topic(key), key, counter);
    Writers.Written one = new Writers.Written(key, counter, message.id());
    if (toBeUndone) {
      undone.append(message);
      writtenAndUndone.add(one);
    } else {
      long position = transaction.append(message).get(0);
      drawn.add(position);
      lowest = Math.min(lowest, position);
      world.tell("writer", () -> "draws " + position + " for " + Words.message(one.id()));
      counters.put(key, counter);
      written.add(one);
    }
  }
}
