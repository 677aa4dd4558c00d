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

  /** Returns what inserts messages into the ledger. */
  LedgerAppender appender();

  /** Returns what serialises transactions by ordering keys. */
  KeyLocks keyLocks();

  /** Returns what remembers the ids that consumers have processed. */
  InboxTable inbox();

  /** Returns what tells whether a transaction can still commit. */
  TransactionCheck transactionCheck();

  /** Returns the one table of the database's error classes. */
  SqlErrors errors();

  /**
   * Returns what one relay needs. It keeps one connection of the data source for as long as it is
   * open, is used by one thread, and is closed by the caller that requested it.
   *
   * @param dataSource where the connection comes from
   * @param subscription the subscription that is relayed
   */
  RelayStore relayStore(DataSource dataSource, RelaySubscription subscription);

  /** Returns what lists, moves and deletes subscriptions. */
  SubscriptionStore subscriptions(DataSource dataSource);

  /** Returns what lists parked messages and takes an operator's requests for them. */
  ParkedStore parked(DataSource dataSource);

  /** Returns what removes what is no longer needed. */
  RetentionStore retention(DataSource dataSource);

  /** Returns what shows the state of relays to people. */
  StatusStore status(DataSource dataSource);
}
