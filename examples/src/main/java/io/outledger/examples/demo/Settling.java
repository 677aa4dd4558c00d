// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits until nothing is on its way any more, or nothing moves. */
record Settling(Ledger orders, Ledger inventory) {

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long ASK_EVERY_MS = 100;

  void await() throws SQLException, InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    long movedAt = System.nanoTime();
    long before = -1;
    long left = left();
    while (left > 0 && System.nanoTime() - movedAt < PATIENCE_NANOS) {
      if (left != before) {
        movedAt = System.nanoTime();
        before = left;
      }
      never.await(ASK_EVERY_MS, TimeUnit.MILLISECONDS);
      left = left();
    }
  }

  private long left() throws SQLException {
    long ordered = orders.database().number("SELECT count(*) FROM orders");
    long reserved = inventory.database().number("SELECT count(*) FROM reservation");
    return left(orders) + left(inventory) + Math.max(0, ordered - reserved);
  }

  /** Counts the holes of rolled back transactions, too: a relay gives them up a little later. */
  private static long left(Ledger ledger) throws SQLException {
    return ledger.pending() + ledger.tables().open();
  }
}
