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
 *
 * <p>As with PostgreSQL, a snapshot knows of no transaction whose id is above the highest that has
 * ended. Such a transaction is at work and may draw numbers, and no snapshot says so.
 */
public final class NaiveLedger {

  private final Random random;
  private final TreeMap<Long, List<Long>> openTransactions = new TreeMap<>();
  private final Set<Long> foreign = new HashSet<>();
  private final Map<Long, Long> writerOf = new HashMap<>();
  private final TreeSet<Long> visible = new TreeSet<>();
  private long nextId = 10;
  private long highestEnded = 9;
  private long lastPosition;

  public NaiveLedger(Random random) {
    this.random = random;
  }

  public NavigableSet<Long> visible() {
    return visible;
  }

  /** Returns the id of a transaction that has ended, such as a save. */
  public long nextTransactionId() {
    long id = nextId++;
    ended(id);
    return id;
  }

  public Snapshot snapshot() {
    Set<Long> running = new HashSet<>(openTransactions.headMap(highestEnded).keySet());
    foreign.stream().filter(id -> id < highestEnded).forEach(running::add);
    return new Snapshot(highestEnded + 1, running);
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
    endForeign();
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
    ended(id);
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
    long id = ids.get(random.nextInt(ids.size()));
    List<Long> positions = openTransactions.remove(id);
    ended(id);
    if (commit) {
      visible.addAll(positions);
    }
  }

  private void foreignActs() {
    if (foreign.isEmpty()) {
      foreign.add(nextId++);
    } else if (random.nextInt(4) == 0) {
      endForeign();
    }
  }

  private void endForeign() {
    foreign.forEach(this::ended);
    foreign.clear();
  }

  private void ended(long id) {
    highestEnded = Math.max(highestEnded, id);
  }
}
