// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/**
 * Changes the numbers of a ledger twice, each time when all writers wait for it, since the change
 * waits for their transactions: down, so that numbers are given out again which were rolled back
 * last, and then up. Thread-safe.
 */
final class Renumbering {

  private static final int FIRST = 20;
  private static final int SECOND = 40;
  private static final int LEAP = 500;

  private final TestDatabase database;
  private final CyclicBarrier writers;
  private final boolean isDone;
  private boolean isDown;

  private Renumbering(TestDatabase database, boolean isDone) {
    this.database = database;
    this.isDone = isDone;
    this.writers = new CyclicBarrier(NastyWriters.WRITERS, this::change);
  }

  static Renumbering of(TestDatabase database) {
    return new Renumbering(database, true);
  }

  /** Returns one that changes nothing. */
  static Renumbering none(TestDatabase database) {
    return new Renumbering(database, false);
  }

  /** Returns whether a writer is to await it before this transaction of its own. */
  boolean isDue(int transaction) {
    return isDone && (transaction == FIRST || transaction == SECOND);
  }

  /** Returns when all writers have come, and it is done. */
  void await() {
    try {
      writers.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException("a writer has failed", e);
    }
  }

  /** InnoDB takes the number after the highest row where less is asked for. */
  private void change() {
    long highest = database.number("SELECT MAX(m.position) FROM {schema}.outledger_message m");
    long next = isDown ? highest + LEAP : 1;
    isDown = true;
    database.execute("ALTER TABLE {schema}.outledger_message AUTO_INCREMENT = " + next);
  }
}
