// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import java.time.Duration;
import java.util.Set;

/**
 * Removes what is no longer needed, one bounded step a transaction, so that nobody waits for long
 * and a crash loses nothing. Every method throws {@link io.outledger.StoreException} where the
 * database failed; that step has removed nothing then. Thread-safe; two that purge at the same time
 * wait for each other.
 */
public interface RetentionStore {

  /**
   * Removes the next messages from the ledger's beginning: those that every subscription has
   * settled, below the first that was inserted less than the age ago, both by the database's clock.
   * One that was inserted more than a day in the future, before that clock was set back, counts as
   * old. Without a subscription it removes none. It remembers how far it went in the same
   * transaction, so that no cursor is placed below. Messages go in order of position: none goes
   * while one below it stays.
   *
   * @param age how old a message must be; zero or more
   * @param last the step before it; {@link Step#NONE} for the first
   */
  Step purgeMessages(Duration age, Step last);

  /**
   * Removes the next records of inboxes that are older than an age, of every consumer.
   *
   * @param age how old a record must be; positive
   */
  Step purgeInbox(Duration age);

  /**
   * The same for the records of some consumers; all others keep theirs.
   *
   * @param age how old a record must be; positive
   * @param consumers their names; where there is none, nothing is removed
   */
  Step purgeInbox(Duration age, Set<String> consumers);

  /** Returns, for people, the statements that grant a role the rights to purge. */
  String rights();

  /** Returns up to which position messages have been removed; 0 where none was. */
  long purgedTo();

  /**
   * The result of a step.
   *
   * @param removed how many rows it removed
   * @param more whether another step may find more
   * @param to where the next one begins; of no meaning where rows have no order
   */
  record Step(long removed, boolean more, long to) {

    /** A step that removed nothing. */
    public static final Step NONE = new Step(0, false, 0);

    /**
     * Returns the position at which a step ends. A step covers a number of positions from the next
     * message on, so numbers that nobody has used cost no step, however many there are.
     *
     * @param from where the step begins; it removes what is above
     * @param last the last position that may be purged
     * @param next the position of the first message above {@code from}; 0 if there is none
     * @param positions the most positions that a step covers; one or more
     * @return {@code last} at most; not above {@code from} if there is nothing to purge
     */
    public static long end(long from, long last, long next, int positions) {
      long before = next == 0 ? last : Math.max(from, next - 1);
      return last - before <= positions ? last : before + positions;
    }
  }
}
