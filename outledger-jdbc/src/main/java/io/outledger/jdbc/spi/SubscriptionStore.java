// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.jdbc.admin.Moved;
import io.outledger.jdbc.admin.SubscriptionStatus;
import io.outledger.relay.Slots;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Moves and deletes subscriptions. Every method works in the caller's transaction; if it fails,
 * nothing has changed. Thread-safe.
 */
public interface SubscriptionStore {

  /**
   * Returns the cursors of a subscription: that of its only partition, also where there is no such
   * subscription; or those of all partitions, in order.
   */
  List<CursorKey> cursors(Connection transaction, String subscription) throws SQLException;

  /**
   * Walks through the ledger for a start, if it needs that. It holds no lock.
   *
   * @return the place; empty if the start says it without a walk
   * @throws io.outledger.ConfigurationException {@code OUT-025} if there is no such subscription
   */
  Optional<LedgerEdge> walk(Connection transaction, CursorKey key, Start start) throws SQLException;

  /**
   * Places a subscription at a start, all its partitions. It writes each cursor's next row, which
   * fences an owner at its next save. In the same transaction it takes away parked rows, and what
   * says that messages were settled late, of all positions that are read again; a parked row whose
   * message retention has removed stays.
   *
   * <p>Moved back, everything that the last owner had not settled below the place stays open.
   * Skipped, everything below the place counts as settled, except for holes that may still be
   * filled, and what the last owner had settled stays settled. A purge and either exclude each
   * other.
   *
   * @param request where it continues, what the walk has found, and whether its transactional
   *     handlers forget what they remember of positions that are read again; otherwise that is
   *     counted
   * @param fenced what else is done
   * @return from where to where, of partitions from the lowest; empty if a purge has overtaken the
   *     walk, or the subscription was made again with other partitions: it is to be done again
   *     after a roll-back
   * @throws io.outledger.ConfigurationException {@code OUT-019} if retention has removed the start,
   *     {@code OUT-021} if it is beyond the ledger's end, if a move would pass over something or a
   *     skip has nothing to pass over, {@code OUT-025} if there is no such subscription; nothing
   *     has changed
   */
  Optional<Moved> move(
      Connection transaction, String subscription, MoveRequest request, Fenced fenced)
      throws SQLException;

  /**
   * Divides a subscription into another number of partitions, if no old one has an owner and what
   * they have not settled is little: it writes each old cursor's next row, which fences an owner
   * that was frozen, and places the new ones, all at the highest position that any old one has been
   * read to. A position stays open in the new ones if its message is not settled in the partition
   * that its key had, or if nothing is visible there and it was open in any of them. In the same
   * transaction each parked row gets the partition of its key. A purge and a division exclude each
   * other.
   *
   * @param slots how many partitions there are to be; another number than there is
   * @throws io.outledger.ConfigurationException {@code OUT-025} if there is no such subscription,
   *     {@code OUT-007} if the ledger is not the one that it has read, {@code OUT-060} if slots of
   *     a pull have been read last, of which a journal elsewhere knows more; nothing has changed
   */
  DivisionStep divide(Connection transaction, String subscription, Slots slots) throws SQLException;

  /**
   * Gives a part of what says that messages were settled late to the partitions that their keys
   * have after a division.
   *
   * @param after where the part before has ended; empty for the first
   * @return where this part has ended; empty if there is no more
   */
  Optional<String> divideLate(
      Connection transaction, String subscription, Slots slots, String after) throws SQLException;

  /**
   * Deletes a subscription with its open positions, parked messages, pauses and status. Numbers of
   * its cursor rows are never used again, and rows of take-overs stay until they are purged: an
   * owner that was frozen in a save is fenced all the same.
   *
   * @param fenced what else is done
   * @throws io.outledger.ConfigurationException {@code OUT-025} if there is no such subscription,
   *     {@code OUT-028} if a relay has a lease on it; nothing has changed
   */
  void delete(Connection transaction, String subscription, Fenced fenced) throws SQLException;

  /**
   * Gives a subscription another name: a cursor of that name stands where this one stands, holes
   * included, and this one leaves a row that says it is gone, as a deletion does. What is settled
   * late goes with it; status and older cursor rows do not. An owner that was frozen is fenced at
   * its next save, and so is one that a subscription of the other name had once.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-025} if there is no such subscription,
   *     {@code OUT-028} if a relay has a lease on it, {@code OUT-021} if there is one of the other
   *     name; nothing has changed
   */
  void rename(Connection transaction, CursorKey key, CursorKey to) throws SQLException;

  /**
   * Sees to it that until the transaction ends nobody owns a subscription, moves or deletes it: it
   * writes the cursor's next row, as it stands, so that who takes the lease next sees all that this
   * transaction changes of what belongs to it.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-025} if there is no such subscription,
   *     {@code OUT-028} if a relay has a lease on it
   */
  void lockIdle(Connection transaction, CursorKey key) throws SQLException;

  /**
   * Returns where a subscription stands.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-025} if it is not
   */
  SubscriptionStatus requireThere(Connection transaction, CursorKey key) throws SQLException;

  /**
   * Sees to it that a subscription has its name until the transaction ends. Nothing is asked of the
   * ledger: it may be what is wrong. It waits for those alone who rename or delete this one.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-025} if it is not there
   */
  void lockName(Connection transaction, CursorKey key) throws SQLException;

  /**
   * Returns where a subscription stands, and sees to it that until the transaction ends nobody
   * moves or deletes it, or purges the ledger. Its owner goes on.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-025} if it is not there, {@code OUT-007}
   *     if the ledger is not the one that it has read
   */
  SubscriptionStatus lockPlace(Connection transaction, CursorKey key) throws SQLException;
}
