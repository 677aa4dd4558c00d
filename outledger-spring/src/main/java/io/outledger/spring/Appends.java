// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.Outbox;
import io.outledger.StoreException;
import io.outledger.jdbc.AfterCommit;
import io.outledger.jdbc.AppendOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The messages that one transaction has appended but not yet written. It is bound to the thread
 * while its transaction is the running one, and unbound while that is suspended. Confined to that
 * thread.
 */
final class Appends implements TransactionSynchronization {

  /** More rounds than this mean that a step appends something each time it is called. */
  private static final int ROUNDS_MAX = 10;

  private final SpringTransactions place;
  private final TransactionExecution transaction;
  private final DataSource dataSource;
  private final PersistenceContexts contexts;
  private final List<Appended> appended = new ArrayList<>();
  private final IdentityHashMap<Object, Savepoint> savepoints = new IdentityHashMap<>();
  private final List<RuntimeException> failures = new ArrayList<>();
  private final AfterCommit afterCommit = new AfterCommit();
  private final TakenEvents taken = new TakenEvents();
  private boolean isCommitBegun;
  private boolean isWritten;
  private boolean isCommitted;

  private record Appended(Outbox outbox, Message message, long order) {}

  private record Savepoint(int appended, int failures, int taken, List<Runnable> ofSteps) {}

  private Appends(
      SpringTransactions place,
      TransactionExecution transaction,
      DataSource dataSource,
      PersistenceContexts contexts) {
    this.place = place;
    this.transaction = transaction;
    this.dataSource = dataSource;
    this.contexts = contexts;
  }

  /**
   * Makes one for a transaction that has just begun, and binds it under its transactions.
   *
   * @param dataSource what the transaction's connection is bound under
   * @param contexts those that take part in the transaction, and in no other
   */
  static void begin(
      SpringTransactions place,
      TransactionExecution transaction,
      DataSource dataSource,
      PersistenceContexts contexts) {
    Appends appends = new Appends(place, transaction, dataSource, contexts);
    TransactionSynchronizationManager.registerSynchronization(appends);
    TransactionSynchronizationManager.bindResource(place, appends);
  }

  boolean isOf(TransactionExecution other) {
    return transaction == other;
  }

  /** Returns what the transaction's connection is bound under. */
  DataSource dataSource() {
    return dataSource;
  }

  /** Returns the persistence contexts that take part in the transaction. */
  PersistenceContexts contexts() {
    return contexts;
  }

  /** Returns the events that the transaction has appended. */
  TakenEvents taken() {
    return taken;
  }

  /** Keeps messages until they are written, after everything that was raised up to now. */
  void add(Outbox outbox, List<Message> messages) {
    add(outbox, messages, AppendOrder.next());
  }

  /**
   * Keeps messages until they are written, at their place in the order. What comes between that and
   * the commit, as from the flush that a persistence context does by itself, is written at once.
   */
  void add(Outbox outbox, List<Message> messages, long order) {
    if (isWritten) {
      outbox.append(messages);
      return;
    }
    messages.forEach(message -> appended.add(new Appended(outbox, message, order)));
  }

  /** Returns whether the transaction has committed, while synchronizations still run after it. */
  boolean isCommitted() {
    return isCommitted;
  }

  /** Remembers that something could not be appended, so that the transaction cannot commit. */
  void failed(RuntimeException failure) {
    failures.add(failure);
  }

  void afterCommit(Runnable action) {
    afterCommit.add(action);
  }

  /**
   * Calls the steps until they append nothing more, and writes everything, once. A persistence
   * context is flushed before each round: JPA would do it at the commit, its rows have to be locked
   * first, and an entity may append something while it is flushed. One that its application alone
   * flushes is left as it is.
   */
  void write(List<BeforeAppend> steps) {
    if (isWritten) {
      return;
    }
    int round = 0;
    int before;
    do {
      before = appended.size();
      flushPersistence();
      steps.forEach(BeforeAppend::beforeAppend);
      if (++round > ROUNDS_MAX) {
        throw new StoreException(
            ErrorCode.STORE_FAILED,
            "a step before the append appends something each time it is called: "
                + ROUNDS_MAX
                + " rounds were not enough");
      }
    } while (appended.size() != before);
    if (!failures.isEmpty()) {
      throw failures.get(0);
    }
    isWritten = true;
    byOutbox().forEach(Outbox::append);
  }

  private void flushPersistence() {
    if (transaction instanceof TransactionStatus status
        && !contexts.areFlushedByTheApplicationAlone()) {
      status.flush();
    }
  }

  private Map<Outbox, List<Message>> byOutbox() {
    Map<Outbox, List<Message>> messages = new LinkedHashMap<>();
    List<Appended> inOrder = new ArrayList<>(appended);
    inOrder.sort(Comparator.comparingLong(Appended::order));
    for (Appended each : inOrder) {
      messages.computeIfAbsent(each.outbox(), outbox -> new ArrayList<>()).add(each.message());
    }
    return messages;
  }

  @Override
  public void suspend() {
    TransactionSynchronizationManager.unbindResource(place);
  }

  @Override
  public void resume() {
    TransactionSynchronizationManager.bindResource(place, this);
  }

  @Override
  public void savepoint(Object savepoint) {
    savepoints.put(
        savepoint,
        new Savepoint(appended.size(), failures.size(), taken.mark(), place.atSavepoint()));
  }

  @Override
  public void savepointRollback(Object savepoint) {
    Savepoint kept = savepoints.get(savepoint);
    if (kept == null) {
      return;
    }
    kept.ofSteps().forEach(Runnable::run);
    failures.subList(kept.failures(), Math.max(kept.failures(), failures.size())).clear();
    if (kept.appended() < appended.size()) {
      appended.subList(kept.appended(), appended.size()).clear();
    }
    taken.rollBackTo(kept.taken());
  }

  /** Runs first, so that later after-commit callbacks cannot append. */
  @Override
  public int getOrder() {
    return HIGHEST_PRECEDENCE;
  }

  @Override
  public void afterCommit() {
    isCommitted = true;
    afterCommit.run();
  }

  /** Notes that all callbacks before the commit have returned. */
  void commitBegins() {
    isCommitBegun = true;
  }

  /**
   * Ends what Spring leaves open. It takes a {@code TransactionException} that a callback before
   * the commit throws for one of the commit itself: so it neither commits nor rolls back, and then
   * switches auto-commit on, by which JDBC commits the rows without their messages.
   */
  @Override
  public void afterCompletion(int status) {
    TransactionSynchronizationManager.unbindResourceIfPossible(place);
    if (status != STATUS_COMMITTED && !isCommitBegun) {
      place.rollBack(this);
    }
  }
}
