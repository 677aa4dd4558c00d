// SPDX-License-Identifier: Apache-2.0
package io.outledger.frontier;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Writers and a ledger with snapshots, as plain as can be: the model to hold the frontier against.
 */
final class NaiveLedger {

  private final Random random;
  private final TreeMap<Long, List<Long>> openTransactions = new TreeMap<>();
  private final Set<Long> foreign = new HashSet<>();
  private final Map<Long, Long> writerOf = new HashMap<>();
  private final TreeSet<Long> visible = new TreeSet<>();
  private long nextId = 10;
  private long lastPosition;

  NaiveLedger(Random random) {
    this.random = random;
  }

  NavigableSet<Long> visible() {
    return visible;
  }

  long nextTransactionId() {
    return nextId++;
  }

  long horizon() {
    long horizon = nextId;
    if (!openTransactions.isEmpty()) {
      horizon = openTransactions.firstKey();
    }
    for (long id : foreign) {
      horizon = Math.min(horizon, id);
    }
    return horizon;
  }

  Set<Long> writers() {
    return new HashSet<>(openTransactions.keySet());
  }

  /** Whether the position was drawn by a transaction that is still open. */
  boolean mayStillAppear(long position) {
    Long writer = writerOf.get(position);
    return writer != null && openTransactions.containsKey(writer);
  }

  void act() {
    switch (random.nextInt(6)) {
      case 0 -> openTransactions.put(nextId++, new ArrayList<>());
      case 1, 2 -> append();
      case 3 -> end(true);
      case 4 -> end(random.nextBoolean());
      default -> foreignActs();
    }
  }

  void endAll() {
    while (!openTransactions.isEmpty()) {
      end(random.nextBoolean());
    }
    foreign.clear();
  }

  private void append() {
    if (openTransactions.isEmpty()) {
      openTransactions.put(nextId++, new ArrayList<>());
    }
    List<Long> ids = new ArrayList<>(openTransactions.keySet());
    long id = ids.get(random.nextInt(ids.size()));
    long position = ++lastPosition;
    openTransactions.computeIfAbsent(id, ignored -> new ArrayList<>()).add(position);
    writerOf.put(position, id);
  }

  private void end(boolean commit) {
    if (openTransactions.isEmpty()) {
      return;
    }
    List<Long> ids = new ArrayList<>(openTransactions.keySet());
    List<Long> positions = openTransactions.remove(ids.get(random.nextInt(ids.size())));
    if (commit) {
      visible.addAll(positions);
    }
  }

  private void foreignActs() {
    if (foreign.isEmpty()) {
      foreign.add(nextId++);
    } else if (random.nextInt(4) == 0) {
      foreign.clear();
    }
  }
}
