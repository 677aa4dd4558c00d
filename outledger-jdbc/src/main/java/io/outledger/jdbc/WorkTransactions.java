// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.event.ContextPropagator;
import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import io.outledger.jdbc.spi.ReceivedTable.Look;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The transactions in which a consumer's messages take effect: Outledger's own, or a framework's,
 * each within the context of its message. Thread-safe.
 */
final class WorkTransactions {

  /** A consumer's work in one transaction. */
  @FunctionalInterface
  interface Unit<R extends @Nullable Object> {

    /**
     * Does it.
     *
     * @param done to be told which messages the work has processed, once it has; not the
     *     duplicates, which no work met
     */
    R run(Connection connection, List<InboxId> done) throws Exception;
  }

  /** Runs a unit in a new transaction. */
  private interface Runner {
    <R extends @Nullable Object> R run(Unit<R> unit) throws Exception;
  }

  private final Runner runner;
  private final Look locked;
  private final ContextPropagator context;

  private WorkTransactions(Runner runner, Look locked, ContextPropagator context) {
    this.runner = runner;
    this.locked = locked;
    this.context = context;
  }

  /** Returns Outledger's own. */
  static WorkTransactions own(
      JdbcTransactions transactions, SessionHarm harm, ContextPropagator context) {
    return new WorkTransactions(new Own(transactions, harm), Look.LOCKED, context);
  }

  /**
   * Returns those of a framework.
   *
   * @param transactions makes each, not begun yet
   */
  static WorkTransactions of(
      Supplier<FrameworkTransaction> transactions, SessionHarm harm, ContextPropagator context) {
    return new WorkTransactions(new OfFramework(transactions, harm), Look.LOCKED_IN_ANY, context);
  }

  /** Returns how these look at messages whose keys they have locked. */
  Look locked() {
    return locked;
  }

  /** Returns whether a message's headers make a difference before its transaction begins. */
  boolean isInContext() {
    return context != ContextPropagator.NONE;
  }

  /** Returns what of a batch may share a transaction: all, or in contexts each message alone. */
  List<List<Received>> units(List<Received> batch) {
    if (isInContext()) {
      return batch.stream().map(List::of).toList();
    }
    return batch.isEmpty() ? List.of() : List.of(batch);
  }

  /**
   * Does work in a new transaction, and explains what does not commit. A unit whose commit fails
   * again and again is counted by its first message, until its messages are processed one by one.
   *
   * @param headers those of the message, or of any message of a unit without a context
   * @throws Exception what the work throws, or why its transaction did not begin or commit
   */
  <R extends @Nullable Object> R run(Map<String, String> headers, Unit<R> unit) throws Exception {
    return context.call(headers, () -> CommittedWork.of(() -> runner.run(unit)));
  }

  /** Outledger's own. */
  private record Own(JdbcTransactions transactions, SessionHarm harm) implements Runner {

    @Override
    public <R extends @Nullable Object> R run(Unit<R> unit) throws Exception {
      List<InboxId> done = new ArrayList<>();
      R result;
      try {
        result = transactions.callHandling(connection -> unit.run(connection, done));
      } catch (Exception e) {
        throw done.isEmpty() ? e : harm.explainCommit(done.get(0), e);
      }
      done.forEach(harm::acquit);
      return result;
    }
  }

  /** Those of a framework, which may run code of the application before the commit. */
  private record OfFramework(Supplier<FrameworkTransaction> transactions, SessionHarm harm)
      implements Runner {

    @Override
    public <R extends @Nullable Object> R run(Unit<R> unit) throws Exception {
      FrameworkTransaction transaction = transactions.get();
      Connection connection = begin(transaction);
      List<InboxId> done = new ArrayList<>();
      R result;
      try {
        result = unit.run(connection, done);
      } catch (Throwable failure) {
        transaction.rollBack(failure);
        throw failure;
      }
      commit(transaction, connection, done);
      done.forEach(harm::acquit);
      return result;
    }

    private Connection begin(FrameworkTransaction transaction) throws Exception {
      try {
        return transaction.begin();
      } catch (Exception e) {
        throw harm.explainBegin(e);
      }
    }

    private void commit(FrameworkTransaction transaction, Connection connection, List<InboxId> done)
        throws Exception {
      AtomicBoolean isBlameless = new AtomicBoolean(done.isEmpty());
      try {
        transaction.commit(() -> isBlameless.compareAndSet(false, !harm.isHarmed(connection)));
      } catch (Exception e) {
        throw isBlameless.get()
            ? harm.explainBlamelessCommit(e)
            : harm.explainCommit(done.get(0), e);
      }
    }
  }
}
