// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.MessageIds;
import io.outledger.Printable;
import io.outledger.StoreException;
import io.outledger.jdbc.spi.DueMessages;
import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.spi.OperatorTransactions.Kind;
import io.outledger.time.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lease under which one mover works at a time. It ends by two clocks: by the database's, or
 * when it has stood still for its length by the process's own. For one thread.
 */
final class MoverLease {

  private static final Logger LOG = LoggerFactory.getLogger(MoverLease.class);
  private static final Duration LENGTH = Duration.ofSeconds(10);

  private final DueMessages due;
  private final OperatorTransactions transactions;
  private final TimeSource time;
  private final UUID mover = MessageIds.system().next();
  private DueMessages.@Nullable Lease ofAnother;
  private long seenAt;
  private long takenAt;

  /**
   * Creates it, without I/O.
   *
   * @param time the process's own clock
   */
  MoverLease(DueMessages due, OperatorTransactions transactions, TimeSource time) {
    this.due = due;
    this.transactions = transactions;
    this.time = time;
  }

  /** Takes the lease, or prolongs it; returns whether this mover has it. */
  boolean take() {
    DueMessages.Lease before = ofAnother;
    takenAt = time.nanoTime();
    boolean isOver = before != null && takenAt - seenAt >= LENGTH.toNanos();
    return transactions.run(
        Kind.CHANGES,
        "taking the lease of scheduled messages",
        transaction -> {
          boolean taken = due.takeLease(transaction, mover, LENGTH, isOver ? before : null);
          see(taken ? null : due.lease(transaction).orElse(null));
          return taken;
        });
  }

  private void see(DueMessages.@Nullable Lease lease) {
    if (!Objects.equals(lease, ofAnother)) {
      ofAnother = lease;
      seenAt = time.nanoTime();
    }
  }

  /** Prolongs it once half of it is over; returns whether this mover has it, as far as it knows. */
  boolean keep() {
    return time.nanoTime() - takenAt < LENGTH.toNanos() / 2 || take();
  }

  /** Returns whether this mover has it still, by the database. */
  boolean isHeld(Connection transaction) throws SQLException {
    return due.hasLease(transaction, mover);
  }

  /** Ends it, where that can be done: otherwise it ends by itself. */
  void giveBack() {
    try {
      transactions.run(
          Kind.CHANGES,
          "giving the lease of scheduled messages back",
          transaction -> {
            due.giveLeaseBack(transaction, mover);
            return true;
          });
    } catch (StoreException e) {
      LOG.debug("the lease ends by itself", Printable.trace(e));
    }
  }
}
