// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.Message;
import io.outledger.chaos.history.CommitOutcome;
import io.outledger.chaos.history.Entry;
import io.outledger.frontier.Positions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** The application's writers: transactions that lock keys, append, and end in every way. */
final class Writers {

  static final List<String> TOPICS = List.of("orders", "stock");
  static final List<String> TYPES = List.of("changed", "removed");

  private final World world;
  private final List<OpenTransaction> open = new ArrayList<>();
  private final Set<OpenTransaction> held = new HashSet<>();
  private final Map<String, Long> counters = new HashMap<>();
  private final Set<String> locked = new HashSet<>();
  private int made;
  private boolean isFinished;

  Writers(World world) {
    this.world = world;
  }

  boolean isDone() {
    return made >= world.plan().messages && open.isEmpty();
  }

  /** Takes a turn. */
  void act() {
    Choices choices = world.choices();
    boolean mayBegin =
        !isFinished
            && made < world.plan().messages
            && open.size() < world.plan().openTransactionsMax;
    if (mayBegin && (open.isEmpty() || choices.chance(0.3))) {
      open.add(new OpenTransaction(world, this, choices.chance(OpenTransaction.LONG)));
    } else if (!open.isEmpty()) {
      OpenTransaction transaction = choices.pick(open);
      if (held.contains(transaction) || (transaction.isLong() && choices.chance(0.9))) {
        return;
      }
      if (transaction.isPrepared() && world.gate().chance(0.95)) {
        return; // its manager takes its time, or is down
      }
      boolean appends = choices.chance(0.6);
      if (mayPrepare(transaction) && world.gate().chance(0.1)) {
        transaction.prepare();
      } else if (appends && !transaction.isPrepared()) {
        transaction.append();
      } else {
        end(transaction, choices.chance(world.plan().rolledBack));
      }
    }
  }

  private boolean mayPrepare(OpenTransaction transaction) {
    return world.plan().hasGate && transaction.hasDrawn() && !transaction.isPrepared();
  }

  /** Begins a transaction, appends what it can, and holds it open. */
  OpenTransaction beginHeld() {
    OpenTransaction transaction = new OpenTransaction(world, this, false);
    open.add(transaction);
    held.add(transaction);
    transaction.append();
    transaction.append();
    return transaction;
  }

  /** Ends a transaction that is held open, unless something else has. */
  void endHeld(OpenTransaction transaction) {
    held.remove(transaction);
    if (open.contains(transaction)) {
      end(transaction, world.choices().chance(world.plan().rolledBack));
    }
  }

  /** Commits a transaction of its own, whatever the others do. */
  void commitOne() {
    OpenTransaction transaction = new OpenTransaction(world, this, false);
    transaction.append();
    end(transaction, false);
  }

  /** The server restarts: every open transaction is rolled back by it. */
  void serverRestarts() {
    List.copyOf(open).forEach(transaction -> end(transaction, true));
  }

  /** The same server restarts: what was prepared is still there. */
  void sameServerRestarts() {
    open.stream()
        .filter(transaction -> !transaction.isPrepared())
        .toList()
        .forEach(transaction -> end(transaction, true));
  }

  /** Returns the ids of the transactions that were prepared and have not ended. */
  Set<Long> prepared() {
    return open.stream()
        .filter(OpenTransaction::isPrepared)
        .flatMap(transaction -> transaction.ids().stream())
        .collect(Collectors.toSet());
  }

  /** Returns whether a prepared transaction has drawn one of some positions. */
  boolean hasPreparedAt(Positions positions) {
    return drawnByPrepared().anyMatch(positions::contains);
  }

  /** Returns the positions that prepared transactions have drawn. */
  LongStream drawnByPrepared() {
    return open.stream()
        .filter(OpenTransaction::isPrepared)
        .flatMapToLong(transaction -> transaction.drawn().stream().mapToLong(Long::longValue));
  }

  /** Returns the numbers in force, to go back to. */
  Map<String, Long> counters() {
    return new HashMap<>(counters);
  }

  void restore(Map<String, Long> before) {
    counters.clear();
    counters.putAll(before);
  }

  /** Ends what is open, and begins nothing more: what comes later nobody would publish. */
  void finish() {
    isFinished = true;
    List.copyOf(open).forEach(transaction -> end(transaction, false));
  }

  /** A key belongs to one topic: between topics a broker keeps no order. */
  static String topic(String key) {
    return TOPICS.get(Math.floorMod(key.hashCode(), TOPICS.size()));
  }

  /** Locks a key, unless another transaction holds it, and returns the last number committed. */
  boolean lock(String key) {
    return locked.add(key);
  }

  long counter(String key) {
    return counters.getOrDefault(key, 0L);
  }

  Message message(String topic, String key, long counter) {
    made++;
    return world
        .message(topic, world.choices().pick(TYPES))
        .key(key)
        .payload((key + " " + counter).getBytes(StandardCharsets.UTF_8))
        .build();
  }

  private void end(OpenTransaction transaction, boolean rollBack) {
    open.remove(transaction);
    Map<String, Long> committed = transaction.end(rollBack);
    counters.putAll(committed);
    locked.removeAll(transaction.keys());
  }

  /** What a writer tells of a message. */
  record Written(String key, long counter, UUID id) {
    Entry.Wrote with(CommitOutcome outcome) {
      return new Entry.Wrote(key, counter, id, outcome);
    }
  }
}
