// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Causes;
import io.outledger.Message;
import io.outledger.MessageIds;
import io.outledger.Printable;
import io.outledger.StoreException;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.DueMessages;
import io.outledger.jdbc.spi.DueMessages.Due;
import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.spi.OperatorTransactions.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the messages that are due into the ledger, batch by batch: one transaction appends them, as
 * an outbox does, and removes their rows. Killed at any moment it has moved a batch or left it as
 * it was. For one thread, except for {@link #stop}.
 *
 * <p>What another transaction has locked, to cancel it, is left for the next pass, and so is all
 * that is due behind it with the same key: nobody waits for a transaction of the application, and
 * the order of a key holds whatever becomes of it.
 */
final class ScheduledMover {

  /** How long until the next look where nothing is due. */
  static final Duration LOOK = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(ScheduledMover.class);
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final int ROWS_MAX = 1_000;
  private static final long BYTES_MAX = 8L << 20;
  private static final String DOING = "moving scheduled messages";

  private final Database database;
  private final DueMessages due;
  private final OperatorTransactions transactions;
  private final Runnable moved;
  private final UUID id = MessageIds.system().next();
  private final Set<Long> refused = new HashSet<>();
  private volatile boolean isStopped;

  /**
   * Creates it, without I/O.
   *
   * @param moved called after each commit that has moved something
   */
  ScheduledMover(Database database, DataSource dataSource, Runnable moved) {
    this.database = database;
    this.due = database.dueMessages();
    this.transactions = database.transactions(dataSource);
    this.moved = moved;
  }

  /**
   * What a batch has come to.
   *
   * @param last the last message that was looked at; null where none was due, or the lease is lost
   * @param held the keys that have to wait for the next pass
   * @param moved how many messages are in the ledger now
   */
  private record Batch(@Nullable Due last, Set<String> held, int moved) {}

  /**
   * Moves everything that is due, unless another mover has the lease.
   *
   * @return how long to wait before the next pass
   * @throws StoreException if the database failed; what is not moved yet waits
   */
  Duration pass() {
    Optional<Duration> next =
        transactions.run(Kind.READS, "looking for scheduled messages", due::untilNext);
    if (next.isEmpty() || next.get().compareTo(LOOK) > 0) {
      return LOOK;
    }
    if (next.get().compareTo(Duration.ZERO) > 0) {
      // Rounded up, or the last moment before it would be spent in looking again and again.
      return next.get().plusMillis(1);
    }
    if (!takesLease()) {
      return LOOK;
    }
    try {
      return moveAll() > 0 ? Duration.ZERO : LOOK;
    } finally {
      giveLeaseBack();
    }
  }

  private boolean takesLease() {
    return transactions.run(
        Kind.CHANGES, DOING, transaction -> due.takeLease(transaction, id, LEASE));
  }

  private void giveLeaseBack() {
    try {
      transactions.run(
          Kind.CHANGES,
          DOING,
          transaction -> {
            due.giveLeaseBack(transaction, id);
            return true;
          });
    } catch (StoreException e) {
      LOG.debug("the lease ends by itself", Printable.trace(e));
    }
  }

  private long moveAll() {
    Batch batch = new Batch(null, Set.of(), 0);
    long all = 0;
    int rows = ROWS_MAX;
    boolean isMore = true;
    while (isMore) {
      try {
        batch = batch(batch, rows);
        rows = Math.min(ROWS_MAX, rows * 2);
      } catch (StoreException e) {
        if (!isOfRows(e)) {
          throw e;
        }
        if (rows > 1) {
          rows /= 2; // one of them cannot enter: it is found by halves, and the others do
          continue;
        }
        batch = putAside(batch, e);
      }
      if (batch.moved() > 0) {
        all += batch.moved();
        moved.run();
      }
      isMore = batch.last() != null && !isStopped && takesLease();
    }
    return all;
  }

  private Batch batch(Batch before, int rows) {
    return transactions.run(Kind.CHANGES, DOING, transaction -> batch(transaction, before, rows));
  }

  private Batch batch(Connection transaction, Batch before, int rows) throws SQLException {
    if (!due.hasLease(transaction, id)) {
      return new Batch(null, Set.of(), 0);
    }
    List<Due> page = fitting(due.due(transaction, before.last(), rows));
    if (page.isEmpty()) {
      return new Batch(null, Set.of(), 0);
    }
    Set<String> held = new HashSet<>(before.held());
    Map<Long, Message> locked = due.lock(transaction, page);
    List<Long> numbers = new ArrayList<>();
    List<Message> messages = new ArrayList<>();
    for (Due each : page) {
      Message message = refused.contains(each.number()) ? null : locked.get(each.number());
      if (message == null) {
        hold(held, each);
      } else if (each.key() == null || !held.contains(each.key())) {
        numbers.add(each.number());
        messages.add(message);
      }
    }
    if (!messages.isEmpty()) {
      database.appender().append(transaction, messages);
      requireAll(due.remove(transaction, numbers), numbers);
    }
    return new Batch(page.get(page.size() - 1), held, messages.size());
  }

  private static void hold(Collection<String> held, Due message) {
    if (message.key() != null) {
      held.add(message.key());
    }
  }

  /** Returns the first ones, as many as one transaction should hold in memory. */
  private static List<Due> fitting(List<Due> page) {
    long bytes = 0;
    for (int i = 0; i < page.size(); i++) {
      bytes += page.get(i).bytes();
      if (bytes > BYTES_MAX && i > 0) {
        return page.subList(0, i);
      }
    }
    return page;
  }

  /** What is in the ledger and waits still would be delivered twice. */
  private static void requireAll(int removed, List<Long> numbers) throws SQLException {
    if (removed != numbers.size()) {
      throw new SQLException(
          "removed "
              + removed
              + " of "
              + numbers.size()
              + " rows of outledger_scheduled: something beside Outledger keeps them, such as a"
              + " trigger or row-level security; remove it",
          "0A000");
    }
  }

  /** Passes over the message that the database refuses; it waits, and its key with it. */
  private Batch putAside(Batch before, StoreException why) {
    List<Due> one =
        transactions.run(Kind.READS, DOING, transaction -> due.due(transaction, before.last(), 1));
    if (one.isEmpty()) {
      return new Batch(null, Set.of(), 0);
    }
    Due message = one.get(0);
    if (refused.add(message.number())) {
      LOG.error(
          "the scheduled message with number {} of outledger_scheduled cannot enter the ledger, so"
              + " it and what is due after it with its key wait until this process starts again."
              + " Cancel it, or correct what keeps it out: {}",
          message.number(),
          why.getMessage());
    }
    Set<String> held = new HashSet<>(before.held());
    hold(held, message);
    return new Batch(message, held, 0);
  }

  private boolean isOfRows(StoreException failure) {
    return isOf(failure, ErrorClass.REFUSED) || isOf(failure, ErrorClass.LIMIT_EXCEEDED);
  }

  /** Returns whether a failure is that of a role without a right. */
  boolean lacksRight(StoreException failure) {
    return isOf(failure, ErrorClass.RIGHT_MISSING);
  }

  private boolean isOf(StoreException failure, ErrorClass wanted) {
    return Causes.of(failure).stream()
        .anyMatch(
            cause -> cause instanceof SQLException sql && database.errors().classOf(sql) == wanted);
  }

  /** Has it end after the batch that is being moved; for any thread. */
  void stop() {
    isStopped = true;
  }

  boolean isStopped() {
    return isStopped;
  }
}
