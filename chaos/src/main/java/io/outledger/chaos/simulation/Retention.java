// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.store.LedgerMessage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Removes what every subscription has settled, while everything goes on. As in a database, no
 * subscription is made between its look at the cursors and the removal.
 */
final class Retention {

  private final World world;
  private List<LedgerMessage> removed = new ArrayList<>();
  private boolean isRunning;
  private boolean isAbortedByRestore;

  Retention(World world) {
    this.world = world;
  }

  boolean isRunning() {
    return isRunning;
  }

  /** Returns what it has removed, as the database now has it. */
  List<LedgerMessage> removed() {
    return removed;
  }

  Set<UUID> removedIds() {
    Set<UUID> ids = new HashSet<>();
    removed.forEach(one -> ids.add(one.message().id()));
    return ids;
  }

  /** Goes back to what a restored database has removed. */
  void restore(List<LedgerMessage> before) {
    removed = new ArrayList<>(before);
    isAbortedByRestore = true;
  }

  /** Takes a turn. */
  void act() {
    if (!isRunning && world.choices().chance(world.plan().purged)) {
      run();
    }
  }

  /** A person purges, at any moment. */
  void purgeNow() {
    if (!isRunning) {
      world.note(Happening.PURGED_BY_OPERATOR);
      run();
    }
  }

  private void run() {
    isRunning = true;
    isAbortedByRestore = false;
    long below = lowest();
    world.interleave();
    if (!isAbortedByRestore) {
      purge(below);
    }
    isRunning = false;
  }

  private long lowest() {
    return world.subscriptions().stream()
        .mapToLong(one -> one.inLedger().frontier().lowest())
        .min()
        .orElse(0);
  }

  private void purge(long below) {
    int count = removed.size();
    world.ledger().messages().stream().filter(m -> m.position() < below).forEach(removed::add);
    if (removed.size() > count) {
      world.note(Happening.MESSAGES_PURGED);
      world.tell("retention", () -> "removes all messages below " + below);
    }
    world.ledger().purge(below - 1);
  }
}
