// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.Message;
import io.outledger.MessageLimits;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A transaction on an {@link InMemoryLedger}. As in a database, its first write draws a transaction
 * id, an append draws position numbers at once, others see the messages only after the commit, and
 * a roll-back leaves holes forever. Thread-safe.
 */
public final class InMemoryTransaction implements AutoCloseable {

  private static final long NONE = 0;

  private enum State {
    OPEN,
    COMMITTED,
    ROLLED_BACK
  }

  private final InMemoryLedger ledger;
  private final NavigableMap<Long, Message> appended = new TreeMap<>();
  private final Thread beganOn = Thread.currentThread();
  private long id = NONE;
  private boolean writesLedger;
  private State state = State.OPEN;

  InMemoryTransaction(InMemoryLedger ledger) {
    this.ledger = ledger;
  }

  /**
   * Appends messages in order.
   *
   * @return their positions
   * @throws IllegalStateException if the transaction has ended
   * @throws io.outledger.InvalidMessageException {@code OUT-014} if a field is not valid
   */
  public List<Long> append(Message... messages) {
    return append(List.of(messages));
  }

  /** Appends messages in order, as {@link #append(Message...)} does. */
  public List<Long> append(List<Message> messages) {
    messages.forEach(MessageLimits::check);
    synchronized (ledger) {
      write();
      writesLedger = true;
      return messages.stream().map(this::insert).toList();
    }
  }

  private long insert(Message message) {
    long position = ledger.drawPosition();
    appended.put(position, message);
    return position;
  }

  /**
   * Writes something that is not the ledger: draws a transaction id where there is none yet, which
   * holds the horizon back until this transaction ends.
   *
   * @throws IllegalStateException if the transaction has ended
   */
  public void writeElsewhere() {
    synchronized (ledger) {
      write();
    }
  }

  void write() {
    checkOpen();
    if (id == NONE) {
      id = ledger.beginWriting(this);
    }
  }

  /**
   * Makes everything visible at once.
   *
   * @throws IllegalStateException if the transaction has ended
   */
  public void commit() {
    synchronized (ledger) {
      checkOpen();
      end(State.COMMITTED);
      ledger.show(appended);
    }
    if (!appended.isEmpty()) {
      ledger.tellOfCommit();
    }
  }

  /**
   * Forgets everything but the numbers, which stay drawn.
   *
   * @throws IllegalStateException if the transaction has ended
   */
  public void rollback() {
    synchronized (ledger) {
      checkOpen();
      end(State.ROLLED_BACK);
    }
  }

  private void end(State end) {
    state = end;
    ledger.endWriting(this, end == State.COMMITTED);
  }

  /** Rolls back, unless the transaction has ended. */
  @Override
  public void close() {
    synchronized (ledger) {
      if (state == State.OPEN) {
        rollback();
      }
    }
  }

  /** Returns the transaction id, or 0 where nothing was written. */
  public long id() {
    synchronized (ledger) {
      return id;
    }
  }

  /** Returns whether it has neither been committed nor rolled back. */
  public boolean isOpen() {
    synchronized (ledger) {
      return state == State.OPEN;
    }
  }

  boolean beganOnThisThread() {
    return beganOn.equals(Thread.currentThread());
  }

  boolean writesLedger() {
    return writesLedger;
  }

  private void checkOpen() {
    if (state != State.OPEN) {
      throw new IllegalStateException("the transaction has already ended: it was " + state);
    }
  }
}
