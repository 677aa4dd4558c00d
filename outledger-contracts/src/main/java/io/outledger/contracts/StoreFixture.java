// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.store.PauseScope;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.time.Duration;
import java.util.UUID;

/**
 * One empty ledger in one database, with the means to write it and to let its time pass. Opened for
 * each test; used by one thread, except for the stores, which are used by one thread each.
 */
public interface StoreFixture {

  /**
   * Opens another store for a subscription, as a relay in another process would. The fixture closes
   * it at the latest.
   */
  RelayStore open(String subscription, Start start);

  /** Begins a transaction that is going to append to the ledger. */
  LedgerWriter begin();

  /**
   * Begins a transaction that has written something else and never touches the ledger. It is no
   * writer, though a store that knows writers by their transactions lists it as running. Nothing is
   * appended to it.
   */
  LedgerWriter beginElsewhere();

  /**
   * Lets time pass by the database's clock: by waiting, or by moving what it is compared with.
   *
   * @param time at least this much; 1 s at most
   */
  void letPass(Duration time);

  /** Removes every row of a cursor but the newest, as a purge long after would have. */
  void removeOldCursorRows(String subscription);

  /** Asks, as an operator would, that a dead letter or a retrying message be tried again. */
  void requestRetry(String subscription, long position, String route);

  /** Asks, as an operator would, that a dead letter be discarded. */
  void requestDiscard(String subscription, long position, String route);

  /** Moves a subscription back, as an operator would, whoever owns it. */
  void move(String subscription, Start start);

  /** Has a subscription pass over what is before a start, as an operator would. */
  void skip(String subscription, Start start);

  /** Deletes a subscription, as an operator would; refused while a relay has a lease on it. */
  void delete(String subscription);

  /** Pauses a part of a subscription, or all of it, as an operator would. */
  void pause(String subscription, PauseScope scope, String by, String reason);

  /** Ends a pause, as an operator would. */
  void resume(String subscription, PauseScope scope);

  /**
   * Erases a message by its id, as an operator would: as far as that goes before its relays have
   * passed it.
   */
  void erase(UUID id);

  /** Replays settled messages into a route, from a position to another, as an operator would. */
  void replay(String subscription, String route, long from, long to);

  /**
   * Removes every message and starts the numbers again, as somebody may do by hand. No transaction
   * is open.
   */
  void emptyLedger();

  /**
   * Makes a committed message unreadable, as a writer that is not ours may have written it, say
   * with headers that are not encoded.
   */
  void makeUnreadable(long position);

  /** Returns how many transactions may have written at the same time. */
  default DatabaseFixture.Writers writers() {
    return DatabaseFixture.Writers.SEVERAL;
  }

  /** Ends what is open, and removes what was made. */
  void close() throws Exception;
}
