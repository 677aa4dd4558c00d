// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.jdbc.admin.Moved;
import io.outledger.jdbc.admin.SubscriptionStatus;
import io.outledger.store.Declaration;
import io.outledger.store.Declarations;
import io.outledger.store.Start;
import java.util.List;

/**
 * Lists, moves and deletes subscriptions. Every method throws {@link io.outledger.StoreException}
 * if the database failed; nothing has changed then, unless the connection was lost during the
 * commit. Thread-safe.
 */
public interface SubscriptionStore {

  /** Returns all subscriptions, by name and partition, as one snapshot shows them. */
  List<SubscriptionStatus> list();

  /**
   * Places a subscription at a start. It writes the cursor's next row, which fences an owner at its
   * next save. In the same transaction it takes away parked rows, and what says that messages were
   * settled late, of all positions that are read again; a parked row whose message retention has
   * removed stays.
   *
   * <p>Moved back, everything that the last owner had not settled below the place stays open. Moved
   * forward or to now, everything below the place counts as settled, except for holes that may
   * still be filled. A purge and a move exclude each other. The scan of the ledger holds no lock.
   *
   * @param name the subscription, a valid name
   * @param start where it continues
   * @param processAgain whether its transactional handlers forget what they remember of positions
   *     that are read again; otherwise that is counted
   * @return from where to where
   * @throws io.outledger.ConfigurationException {@code OUT-019} if retention has removed the start,
   *     {@code OUT-021} if it is beyond the ledger's end, {@code OUT-025} if there is no such
   *     subscription; nothing has changed
   */
  Moved move(String name, Start start, boolean processAgain);

  /** Returns what instances have declared of a subscription, ended declarations left out. */
  Declarations declarations(String name);

  /**
   * Ends what was declared of a subscription: nobody keeps messages for it any more.
   *
   * @param name the subscription, a valid name
   * @return whether it was declared
   */
  boolean endDeclaration(String name, Declaration declared);

  /**
   * Deletes a subscription with its open positions, parked messages and status. Numbers of its
   * cursor rows are never used again, and rows of take-overs stay until they are purged: an owner
   * that was frozen in a save is fenced all the same.
   *
   * @param name the subscription, a valid name
   * @throws io.outledger.ConfigurationException {@code OUT-025} if there is no such subscription,
   *     {@code OUT-028} if a relay has a lease on it; nothing has changed
   */
  void delete(String name);
}
