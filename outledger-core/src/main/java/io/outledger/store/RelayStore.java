// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.Require;
import io.outledger.store.LeaseGrant.BlockedKey;
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
 * database failed or could not be reached; the outcome is then unknown, and the relay discards its
 * state and loads it again. It throws {@link io.outledger.ConfigurationException} where a condition
 * that the proofs of dead holes rest on does not hold.
 */
public interface RelayStore extends AutoCloseable {

  /**
   * Returns the newest row of the cursor. If the first call finds none, it creates the subscription
   * at its configured start, with a row that nobody owns. If a later call finds none, it does not
   * create the subscription again: that would publish everything again.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-025} if it was deleted; the relay must
   *     stop
   * @throws io.outledger.StoreException {@code OUT-025} if it is missing but was not deleted: the
   *     database may still be recovering
   */
  CursorRow look();

  /**
   * Takes the lease by inserting the next row, if the newest row is still the one seen. Checks the
   * preconditions first: the ledger is as the schema made it, its numbers are not behind the
   * cursor, the server takes writes and nobody replicates into the ledger.
   *
   * @param seen the newest row as {@link #look()} returned it
   * @param incarnation the new owner, a random id of its start
   * @param lease how long the lease lasts, by the database's clock
   * @param asking must be called once, after everything has been loaded and right before the lease
   *     is requested; the relay counts its lease from this call
   * @return the state to continue from; empty if another relay was faster
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
   * ledger: the page's server then names no ledger.
   */
  Page poll(PollRequest request);

  /**
   * Inserts the cursor's next row, if the newest is still the owner's and the server is still the
   * one that granted the lease, and applies the changes to parked messages with it. Durable when it
   * returns {@link SaveOutcome.Saved}.
   */
  SaveOutcome save(Save save);

  /**
   * Returns the numbers of the writers that drew a position before this call and may still make it
   * visible; see {@link io.outledger.frontier.Snapshot}. It may return more: that only causes
   * delay.
   */
  Set<Long> writers();

  /**
   * Describes, for people, the writers that keep the oldest holes open: session, age, statement.
   */
  String blockers();

  /**
   * Returns the parked messages that are due, and those that an operator wants tried again, in
   * order of position, without those that were withdrawn. If there are more than the limit, the
   * operator's come first, then those that have waited longest.
   *
   * @param routes the relay's routes; rows of other routes are never returned and do not count
   *     towards the limit
   * @param except rows not to return, because they are being tried
   * @param limit at most this many
   */
  List<ParkedMessage> due(Set<String> routes, Set<ParkedPlace> except, int limit);

  /**
   * Returns how many messages are parked in each route that the relay does not have.
   *
   * @param routes the relay's routes
   */
  Map<String, Long> parkedElsewhere(Set<String> routes);

  /**
   * Returns keys whose blocking rows are all held, so that the first one may be tried at once.
   * There may be as many as an instance that nobody started was to have: so never all of them are
   * loaded.
   *
   * @param routes keys of these routes
   * @param limit at most this many, whichever they are; fewer only where there are no more
   */
  List<BlockedKey> releasable(Set<String> routes, int limit);

  /**
   * Returns the first rows of a blocked key in state held, in order of position. Where the ledger
   * was emptied since, those of the earliest ledger alone: the others come after them.
   *
   * @param route the route
   * @param key the key
   * @param limit at most this many
   */
  List<ParkedMessage> held(String route, String key, int limit);

  /**
   * Returns dead and retrying messages that an operator wants discarded, and all that were
   * withdrawn, held ones too. The owner removes them with its next save, except for one that it is
   * trying at the moment. Messages of all routes are returned, since no relay may have the route
   * any more. If there are more than the limit, the first in the order of places are chosen; they
   * are returned in order of position.
   *
   * @param after only messages behind this place
   * @param limit at most this many
   */
  List<ParkedMessage> discards(ParkedPlace after, int limit);

  /**
   * Returns in which of some slots of the subscription {@link #due}, for the route without a name,
   * or {@link #discards} may return something: those are to be asked, one by one. Any may be among
   * them; the default is all.
   *
   * @param slots their numbers, from 0
   */
  default Set<Integer> slotsWithWork(Set<Integer> slots) {
    return Require.nonNull("slots", slots);
  }

  /**
   * Declares what an instance has, and ends what it replaces, in one transaction. Writes nothing
   * where all of that is so already.
   */
  void declare(Declaring declaring);

  /**
   * Declares again what an owner lacks, so that its next page shows another revision: an instance
   * that has it stands by.
   *
   * @param has what this instance has and the owner does not
   */
  void declareAgain(Set<Declaration> has);

  /** Returns what is declared now. */
  Declarations declarations();

  /** Returns what is paused of the subscription now. */
  Pauses pauses();

  /**
   * Makes parked messages due that wait for the end of a pause which has ended, or for an instance
   * that has what another one lacked.
   *
   * @param pauses what is paused: messages of these topics and keys stay as they are
   * @param limit at most this many
   * @return how many it has made due; the limit where there may be more
   */
  int makeDue(Pauses pauses, int limit);

  /** Removes a bounded number of the cursor's old rows, and keeps one of each second. */
  void purgeCursor(long newest);

  /** Closes the connections. It does not give back the lease. */
  @Override
  void close();
}
