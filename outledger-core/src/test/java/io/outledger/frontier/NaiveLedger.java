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
public final class NaiveLedger {

  private final Random random;
  private final TreeMap<Long, List<Long>> openTransactions = new TreeMap<>();
  private final Set<Long> foreign = new HashSet<>();
  private final Map<Long, Long> writerOf = new HashMap<>();
  private final TreeSet<Long> visible = new TreeSet<>();
  private long nextId = 10;
  private long lastPosition;

  public NaiveLedger(Random random) {
    this.random = random;
  }

  public NavigableSet<Long> visible() {
    return visible;
  }

  public long nextTransactionId() {
    return nextId++;
  }

  public long horizon() {
    long horizon = nextId;
    if (!openTransactions.isEmpty()) {
      horizon = openTransactions.firstKey();
    }
    for (long id : foreign) {
      horizon = Math.min(horizon, id);
    }
    return horizon;
  }

  /** Everybody with an id who has not ended. */
  public Set<Long> running() {
    Set<Long> running = new HashSet<>(openTransactions.keySet());
    running.addAll(foreign);
    return running;
  }

  public Set<Long> writers() {
    return new HashSet<>(openTransactions.keySet());
  }

  /** Whether the position was drawn by a transaction that is still open. */
  public boolean mayStillAppear(long position) {
    Long writer = writerOf.get(position);
    return writer != null && openTransactions.containsKey(writer);
  }

  public void act() {
    switch (random.nextInt(6)) {
      case 0 -> openTransactions.put(nextId++, new ArrayList<>());
      case 1, 2 -> append();
      case 3 -> end(true);
      case 4 -> end(random.nextBoolean());
      default -> foreignActs();
    }
  }

  public void endAll() {
    while (!openTransactions.isEmpty()) {
      end(random.nextBoolean());
    }
    foreign.clear();
  }

  /** Begins a transaction that does nothing else by itself. */
  public long begin() {
    long id = nextId++;
    openTransactions.put(id, new ArrayList<>());
    return id;
  }

  /** Draws a number in an open transaction. */
  public long append(long id) {
    long position = ++lastPosition;
    openTransactions.computeIfAbsent(id, ignored -> new ArrayList<>()).add(position);
    writerOf.put(position, id);
    return position;
  }

  /** Draws a number in a transaction of its own, which stays open. */
  public long appendAnew() {
    long id = begin();
    append(id);
    return id;
  }

  public void commit(long id) {
    List<Long> positions = openTransactions.remove(id);
    visible.addAll(positions == null ? List.of() : positions);
  }

  private void append() {
    if (openTransactions.isEmpty()) {
      openTransactions.put(nextId++, new ArrayList<>());
    }
    List<Long> ids = new ArrayList<>(openTransactions.keySet());
    append(ids.get(random.nextInt(ids.size())));
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
