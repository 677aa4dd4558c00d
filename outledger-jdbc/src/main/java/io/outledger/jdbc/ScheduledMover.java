// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Causes;
import io.outledger.StoreException;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.DueMessages;
import io.outledger.jdbc.spi.DueMessages.Row;
import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.spi.OperatorTransactions.Kind;
import io.outledger.time.TimeSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import javax.sql.DataSource;

/**
 * Moves the messages that are due into the ledger, batch by batch: one transaction appends them, as
 * an outbox does, and removes their rows. Killed at any moment it has moved a batch or left it as
 * it was. One thread passes at a time. Thread-safe.
 *
 * <p>What another transaction has locked, to cancel it, is left for the next pass, and so is all
 * that is due behind it with the same key: nobody waits for a transaction of the application, and
 * the order of a key holds whatever becomes of it. What the ledger refuses likewise waits for its
 * next attempt, see {@link RefusedMessages}.
 */
final class ScheduledMover {

  /** How long until the next look where nothing is due. */
  static final Duration LOOK = Duration.ofSeconds(1);

  private static final Set<ErrorClass> OF_PROCESS =
      Set.of(ErrorClass.RIGHT_MISSING, ErrorClass.TABLES_MISSING);

  private final Database database;
  private final DueMessages due;
  private final OperatorTransactions transactions;
  private final MoverLease lease;
  private final RefusedMessages refused;
  private final Runnable moved;
  private volatile boolean isStopped;

  /**
   * Creates it, without I/O.
   *
   * @param time the process's own clock
   * @param moved called after each commit that has moved something
   */
  ScheduledMover(Database database, DataSource dataSource, TimeSource time, Runnable moved) {
    this.database = database;
    this.due = database.dueMessages();
    this.transactions = database.transactions(dataSource);
    this.lease = new MoverLease(due, transactions, time);
    this.refused = new RefusedMessages(time);
    this.moved = moved;
  }

  /**
   * Moves everything that is due, unless another mover has the lease.
   *
   * @return how long to wait before the next pass
   * @throws StoreException if the database failed; what is not moved yet waits
   */
  synchronized Duration pass() {
    Optional<Duration> next =
        transactions.run(Kind.READS, "looking for scheduled messages", due::untilNext);
    if (next.isEmpty() || next.get().compareTo(LOOK) > 0) {
      return LOOK;
    }
    if (next.get().compareTo(Duration.ZERO) > 0) {
      // Rounded up, or the last moment before it would be spent in looking again and again.
      return next.get().plusMillis(1);
    }
    if (!lease.take()) {
      return LOOK;
    }
    try {
      return moveAll() > 0 ? Duration.ZERO : LOOK;
    } finally {
      lease.giveBack();
    }
  }

  /** What was refused before is tried last, however much that is. */
  private long moveAll() {
    long all = move(DuePage.first(refused.begin()));
    Optional<Set<Row>> waiting = isStopped ? Optional.empty() : refused.again();
    if (waiting.isPresent()) {
      all += move(DuePage.first(waiting.get()));
    }
    refused.requireOthers();
    return all;
  }

  private long move(DuePage first) {
    DuePage page = first;
    long all = 0;
    boolean isMore = true;
    while (isMore) {
      DueBatch batch = new DueBatch(database, lease, page);
      try {
        DueBatch.Outcome outcome =
            transactions.run(Kind.CHANGES, "moving scheduled messages", batch);
        all += outcome.moved();
        tell(outcome);
        page = outcome.next();
        isMore = outcome.isMore();
      } catch (StoreException e) {
        requireRowsToBlame(batch.tried(), e);
        page = (page.most() == 1 ? page.without(putAside(batch, e)) : page).half();
      }
      isMore = isMore && !page.isTooWide() && !isStopped && lease.keep();
    }
    return all;
  }

  private void tell(DueBatch.Outcome outcome) {
    outcome.unreadable().forEach(refused::addUnreadable);
    if (outcome.moved() > 0) {
      refused.others();
      moved.run();
    }
  }

  /**
   * A row may be to blame at once for what a message's values do, and for what else may be of a
   * batch where the same one meets it again. Without a row that could be to blame, it would be met
   * again at once.
   */
  private void requireRowsToBlame(List<Row> tried, StoreException failure) {
    boolean isAgain = refused.meet(tried);
    boolean isOfRows =
        !tried.isEmpty()
            && isOf(
                failure,
                each ->
                    switch (each.blame()) {
                      case MESSAGE -> true;
                      case WORK -> isAgain && !OF_PROCESS.contains(each);
                      case DATABASE -> false;
                    });
    if (!isOfRows) {
      throw failure;
    }
  }

  /**
   * Passes over the message that the database refuses, which waits, and its key with it; and in
   * this pass over some of those behind it, where a good one is farther off. The last of the page
   * is always tried: it may be the only good one.
   */
  private Set<Row> putAside(DueBatch batch, StoreException why) {
    batch.tried().forEach(row -> refused.add(row, why));
    List<Row> behind = batch.behind();
    Set<Row> aside = new HashSet<>(batch.tried());
    behind.stream()
        .limit(Math.max(0, Math.min(refused.leap(), behind.size() - 1)))
        .forEach(aside::add);
    return aside;
  }

  /** Returns whether a failure is that of a role without a right. */
  boolean lacksRight(StoreException failure) {
    return isOf(failure, ErrorClass.RIGHT_MISSING::equals);
  }

  private boolean isOf(StoreException failure, Predicate<ErrorClass> wanted) {
    return Causes.of(failure).stream()
        .anyMatch(
            cause ->
                cause instanceof SQLException sql && wanted.test(database.errors().classOf(sql)));
  }

  /** Has it end after the batch that is being moved; for any thread. */
  void stop() {
    isStopped = true;
  }

  boolean isStopped() {
    return isStopped;
  }
}
