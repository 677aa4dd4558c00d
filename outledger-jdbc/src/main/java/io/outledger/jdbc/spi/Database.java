// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.store.RelayStore;
import javax.sql.DataSource;

/**
 * One product's tables in one schema: everything that Outledger asks of a database. Each method
 * returns one promise, whose interface says what has to hold, and does no I/O itself. Thread-safe,
 * and so is what it returns, except for a {@link RelayStore}.
 *
 * <p>Every promise passes the suites of {@code outledger-contracts}. Methods that take a connection
 * work in the caller's transaction and throw {@link java.sql.SQLException}, which the caller
 * translates by {@link #errors()}. Methods of what takes a data source run transactions of their
 * own, whatever the pool or the database has for defaults, and leave each connection as it was.
 */
public interface Database {

  /** Returns the tables themselves: printed, applied, checked. */
  LedgerSchema schema();

  /** Returns the statement that inserts messages into the ledger. */
  LedgerAppender appender();

  /** Returns the table of the messages that wait for their time. */
  ScheduledTable scheduled();

  /** Returns what a mover does with those whose time has come. */
  DueMessages dueMessages();

  /** Returns the locks that serialise transactions by ordering keys. */
  KeyLocks keyLocks();

  /** Returns the table of the ids that consumers have processed. */
  InboxTable inbox();

  /** Returns the table of the messages that consumers have received and parked. */
  ReceivedTable received();

  /** Returns what is declared of a subscription or a consumer. */
  DeclarationTable declarations(DeclarationTable.Reader reader);

  /** Returns how transactions of the application's begin and end, at the isolation of its pool. */
  TransactionBounds transactionBounds();

  /**
   * Returns how transactions begin and end in which Outledger looks at what others have committed,
   * and a handler works: at READ COMMITTED where that is not asked of the server, whatever the
   * pool, the user or the server has for a default. Nothing is left of that in the session.
   */
  TransactionBounds handlingBounds();

  /** Returns the one table of the database's error classes. */
  SqlErrors errors();

  /**
   * Returns the store of one relay. It keeps one connection of the data source for as long as it is
   * open, is used by one thread, and is closed by the caller that requested it.
   *
   * @param dataSource where the connection comes from
   * @param subscription the subscription that is relayed
   */
  RelayStore relayStore(DataSource dataSource, RelaySubscription subscription);

  /** Returns the store that moves and deletes subscriptions. */
  SubscriptionStore subscriptions();

  /** Returns what makes the transactions in which operators read and change things. */
  OperatorTransactions transactions(DataSource dataSource);

  /** Returns the table of what operators have asked for. */
  RequestTable requests();

  /** Returns the rows that carry the name of what is renamed. */
  RenamedRows renamedRows();

  /** Returns the table of what is paused. */
  PauseTable pauses();

  /** Returns the table of the sagas that have not ended. */
  SagaTable sagas();

  /** Returns what notes requests at the parked messages of a subscription. */
  ParkedNotes.OfSubscription parkedNotes(CursorKey key);

  /** Returns what publishes settled messages of a subscription once more. */
  ReplayRows replayRows(CursorKey key);

  /** Returns what is kept of messages that are to be erased. */
  ErasureRows erasures();

  /** Returns the parked messages of a subscription in whose place others are appended. */
  RevisionRows revisions(CursorKey key);

  /** Returns what consumers remember, and what makes them forget it. */
  InboxMemory inboxMemory();

  /** Returns what notes requests at the parked messages of a consumer. */
  ParkedNotes.OfConsumer parkedNotes(String consumer);

  /**
   * Returns the store that removes messages and inbox records that are no longer needed.
   *
   * @param batch how many positions, and how many inbox records, a step covers at most; 1 or more
   */
  RetentionStore retention(DataSource dataSource, int batch);

  /** Returns the store of the table that shows people the state of relays. */
  StatusStore status(DataSource dataSource);

  /** Returns what an operator reads that the database does in a way of its own. */
  AdminReads adminReads(DataSource dataSource);
}
