// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A relay's access to its database, for one subscription and partition. Used by one thread.
 *
 * <p>Every method is one transaction. It throws {@link io.outledger.StoreException} where the
 * database failed or could not be reached; the outcome is then unknown, and the relay forgets what
 * it holds and loads again. It throws {@link io.outledger.ConfigurationException} where a condition
 * that the proofs of dead holes rest on does not hold.
 */
public interface RelayStore extends AutoCloseable {

  /**
   * Returns the newest row of the cursor. Where the first call finds none, the subscription is
   * made, at the start it was configured with, as a row that is released. Where a later call finds
   * none, it is not created again: that would publish everything again.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-025} if it was deleted; the relay is to
   *     stop
   * @throws io.outledger.StoreException {@code OUT-025} if it is not there and was not deleted: the
   *     database may be on its way back
   */
  CursorRow look();

  /**
   * Takes the lease by inserting the next row, where the newest row is still the one seen. Checks
   * the preconditions first: the ledger is as the schema made it, its numbers are not behind the
   * cursor, the server takes writes and nobody replicates into the ledger.
   *
   * @param seen the newest row as {@link #look()} returned it
   * @param incarnation the new owner, a random id of its start
   * @param lease how long the lease lasts, by the database's clock
   * @param asking must be called once, after everything has been loaded and right before the lease
   *     is requested; the relay counts its lease from this call
   * @return what to continue from, or empty where somebody else was faster
   */
  Optional<LeaseGrant> takeOver(CursorRow seen, UUID incarnation, Duration lease, Runnable asking);

  /**
   * Checks again, while a lease is held, the preconditions that {@link #takeOver} checks.
   *
   * @param high the highest position the relay has seen
   */
  void checkPreconditions(long high);

  /**
   * Reads the ledger, in one statement and so in one snapshot. If the known message is gone without
   * retention having removed it, or the last number drawn is behind its position, this is another
   * ledger: the page then names another server.
   */
  Page poll(PollRequest request);

  /**
   * Inserts the cursor's next row, where the newest is still the owner's and the server still the
   * one that gave the lease, and makes the changes to parked messages with it. Durable when it
   * returns {@link SaveOutcome.Saved}.
   */
  SaveOutcome save(Save save);

  /**
   * Returns the numbers of the writers that drew a position before this call and may still make it
   * visible: see {@link io.outledger.frontier.Snapshot}. It may return more, which only delays.
   */
  Set<Long> writers();

  /** Describes, for people, who keeps the oldest holes open: session, age, statement. */
  String blockers();

  /**
   * Returns parked messages whose time has come, and those that an operator wants tried again, in
   * order of position. If there are more than the limit, those asked for are chosen first, then
   * those that have waited longest.
   *
   * @param routes the routes that the relay has: rows of others are never returned, nor do they
   *     take the place of these
   * @param except rows not to return, because they are being tried
   * @param limit at most this many
   */
  List<ParkedMessage> due(Set<String> routes, Set<ParkedPlace> except, int limit);

  /**
   * Returns how many messages are parked in each route that the relay does not have.
   *
   * @param routes the routes that it has
   */
  Map<String, Long> parkedElsewhere(Set<String> routes);

  /**
   * Returns the rows of a blocked key in state held, in order of position.
   *
   * @param route the route
   * @param key the key
   * @param above only positions above this one
   * @param limit at most this many
   */
  List<ParkedMessage> held(String route, String key, long above, int limit);

  /**
   * Returns dead and retrying messages that an operator wants discarded, which the owner removes
   * with its next save, unless it is just trying one; of all routes, because a route that no relay
   * has any more discards nothing itself. Those come first that stand first in the order of places;
   * they are returned in order of position.
   *
   * @param after only those behind this place
   * @param limit at most this many
   */
  List<ParkedMessage> discards(ParkedPlace after, int limit);

  /** Removes the cursor's old rows, except for one a second, a bounded number of them. */
  void purgeCursor(long newest);

  /** Closes the connections. The lease is not given back by this. */
  @Override
  void close();
}
