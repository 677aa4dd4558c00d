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
import io.outledger.jdbc.spi.DueMessages.Row;
import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.spi.OperatorTransactions.Kind;
import io.outledger.time.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
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
 * the order of a key holds whatever becomes of it. What the ledger refuses likewise waits for its
 * next attempt, see {@link RefusedMessages}.
 */
final class ScheduledMover {

  /** How long until the next look where nothing is due. */
  static final Duration LOOK = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(ScheduledMover.class);
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final int ROWS_MAX = 1_000;
  private static final int PAGE_MAX = 32_000;
  private static final Set<ErrorClass> OF_PROCESS =
      Set.of(ErrorClass.RIGHT_MISSING, ErrorClass.TABLES_MISSING);
  private static final String DOING = "moving scheduled messages";

  private final Database database;
  private final DueMessages due;
  private final OperatorTransactions transactions;
  private final Runnable moved;
  private final UUID id = MessageIds.system().next();
  private final TimeSource time;
  private final RefusedMessages refused;
  private DueMessages.@Nullable Lease seen;
  private long seenAt;
  private long takenAt;
  private List<Due> tried = List.of();
  private List<Due> behind = List.of();
  private @Nullable Row failedFirst;
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
    this.time = time;
    this.refused = new RefusedMessages(time);
    this.moved = moved;
  }

  /**
   * What a batch has come to.
   *
   * @param moved how many messages are in the ledger now
   * @param passed those that are passed over until the next pass
   * @param held keys of those, which need not be looked at
   * @param isCut whether the page has more than was tried
   * @param isMore whether there may be more that is due
   */
  private record Batch(
      int moved, Set<Row> passed, Set<String> held, boolean isCut, boolean isMore) {}

  /**
   * Where a batch looks.
   *
   * @param passed those that are passed over
   * @param held keys of those that are passed over: of these nothing is moved
   * @param rows how many are looked at
   * @param most how many are moved
   */
  private record Page(Set<Row> passed, Set<String> held, int rows, int most) {}

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

  /** By two clocks: a lease is over by the database's, or if it stood still for as long by ours. */
  private boolean takesLease() {
    DueMessages.Lease before = seen;
    takenAt = time.nanoTime();
    boolean isOver = before != null && takenAt - seenAt >= LEASE.toNanos();
    return transactions.run(
        Kind.CHANGES,
        DOING,
        transaction -> {
          boolean taken = due.takeLease(transaction, id, LEASE, isOver ? before : null);
          see(taken ? null : due.lease(transaction).orElse(null));
          return taken;
        });
  }

  /** Prolongs the lease once half of it is over; each batch looks whether it is there still. */
  private boolean keepsLease() {
    return time.nanoTime() - takenAt < LEASE.toNanos() / 2 || takesLease();
  }

  private void see(DueMessages.@Nullable Lease lease) {
    if (!Objects.equals(lease, seen)) {
      seen = lease;
      seenAt = time.nanoTime();
    }
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

  /** What was refused before is tried last, however much that is. */
  private long moveAll() {
    long moved = move(refused.begin());
    Optional<Set<Row>> waiting = isStopped ? Optional.empty() : refused.again();
    if (waiting.isPresent()) {
      moved += move(waiting.get());
    }
    refused.requireOthers();
    return moved;
  }

  private long move(Set<Row> passedOver) {
    Set<Row> passed = passedOver;
    Set<String> held = new HashSet<>();
    long all = 0;
    int rows = ROWS_MAX;
    int most = ROWS_MAX;
    boolean isMore = true;
    while (isMore) {
      try {
        Batch batch = batch(new Page(passed, held, rows, most));
        passed = batch.passed();
        held = batch.held();
        most = Math.min(ROWS_MAX, most * 2);
        isMore = batch.isMore();
        if (batch.moved() > 0) {
          all += batch.moved();
          refused.others();
          moved.run();
        } else if (!batch.isCut()) {
          rows *= 2; // all of the page is passed over: look behind it
        }
      } catch (StoreException e) {
        if (tried.isEmpty()) {
          throw e; // without a row that could be to blame, it would be met again at once
        }
        Row first = tried.get(0).row();
        boolean isAgain = first.equals(failedFirst);
        failedFirst = first;
        if (!mayBeOfRows(e, isAgain)) {
          throw e;
        }
        if (most == 1) {
          passed = putAside(passed, e);
        }
        most = Math.max(1, most / 2); // it is found by halves, and the others are moved
      }
      isMore = isMore && rows <= PAGE_MAX && !isStopped && keepsLease();
    }
    return all;
  }

  private Batch batch(Page page) {
    tried = List.of();
    behind = List.of();
    return transactions.run(Kind.CHANGES, DOING, transaction -> batch(transaction, page));
  }

  /**
   * Moves the next ones. The page is read from its beginning in one statement: a message is in it
   * that was committed before another one of its key was scheduled which is.
   */
  private Batch batch(Connection transaction, Page page) throws SQLException {
    if (!due.hasLease(transaction, id)) {
      return new Batch(0, page.passed(), page.held(), false, false);
    }
    List<Due> rows = due.due(transaction, page.rows(), page.held());
    DueChoice choice = DueChoice.of(rows, page.passed(), page.most());
    tried = choice.wanted();
    behind = choice.behind();
    Set<String> waiting = new HashSet<>();
    Set<Row> passed = new HashSet<>(page.passed());
    List<Long> numbers = new ArrayList<>();
    List<Message> messages = new ArrayList<>();
    DueMessages.Locked locked =
        choice.wanted().isEmpty()
            ? new DueMessages.Locked(Map.of(), Map.of())
            : due.lock(transaction, choice.wanted());
    for (Due each : choice.wanted()) {
      Message message = locked.messages().get(each.number());
      if (message == null || DueChoice.isHeld(waiting, each)) {
        passed.add(each.row());
        DueChoice.hold(waiting, each);
      } else {
        numbers.add(each.number());
        messages.add(message);
      }
    }
    if (!messages.isEmpty()) {
      database.appender().append(transaction, messages);
      requireAll(due.remove(transaction, numbers), numbers);
    }
    for (Due each : choice.wanted()) {
      String why = locked.unreadable().get(each.number());
      if (why != null) {
        refused.isUnreadable(each.row(), why);
      }
    }
    waiting.addAll(choice.held());
    return new Batch(
        messages.size(),
        passed,
        DueChoice.leftOut(page.held(), waiting),
        choice.isCut(),
        choice.isCut() || rows.size() == page.rows());
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

  /**
   * Passes over the message that the database refuses, which waits, and its key with it; and in
   * this pass over some of those behind it, where a good one is farther off. The last of the page
   * is always tried: it may be the only good one.
   */
  private Set<Row> putAside(Set<Row> before, StoreException why) {
    Set<Row> passed = new HashSet<>(before);
    for (Due message : tried) {
      passed.add(message.row());
      refused.add(message.row(), why);
    }
    behind.stream()
        .limit(Math.max(0, Math.min(refused.leap(), behind.size() - 1)))
        .forEach(each -> passed.add(each.row()));
    return passed;
  }

  /**
   * Returns whether a row may be to blame: at once for what a message's values do, and for what
   * else may be of a batch where the same one meets it again.
   */
  private boolean mayBeOfRows(StoreException failure, boolean isAgain) {
    return isOf(
        failure,
        each ->
            switch (each.blame()) {
              case MESSAGE -> true;
              case WORK -> isAgain && !OF_PROCESS.contains(each);
              case DATABASE -> false;
            });
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
