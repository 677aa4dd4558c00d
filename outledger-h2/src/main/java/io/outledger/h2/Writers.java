// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.frontier.Snapshot;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Who may still fill a hole: the sessions that hold the ledger's lock, each with a number of ours.
 * H2 has no id of a transaction that others can see. It shows who holds a table's lock, and a
 * writer holds the ledger's from before it draws a number until what it has committed is visible.
 *
 * <p>A session gets its number when it is first seen with the lock and keeps it until it is seen
 * once without. So one that begins its next transaction between two looks is taken for the same
 * writer, and one may end between a look and the poll: a snapshot is not exact. A witness is the
 * next number, drawn after a look: whoever had drawn a position before has a lower one. This keeps
 * the axioms of {@link Snapshot}. Not thread-safe.
 */
final class Writers {

  /**
   * Stands for all transactions in doubt: prepared, and without a session that holds their locks.
   */
  private static final Integer IN_DOUBT = -1;

  private static final String HOLDERS =
      """
      SELECT l.SESSION_ID FROM INFORMATION_SCHEMA.LOCKS l
       WHERE l.TABLE_SCHEMA = {name} AND UPPER(l.TABLE_NAME) = 'OUTLEDGER_MESSAGE'\
      """;
  private static final String PREPARED = "SELECT COUNT(*) FROM INFORMATION_SCHEMA.IN_DOUBT";

  private final String holders;
  private final Map<Integer, Long> numberOf = new HashMap<>();
  private long next = 1;

  Writers(Tables tables) {
    this.holders = tables.in(HOLDERS);
  }

  /**
   * Looks who holds the lock. H2 reads a session's list of locks while the session changes it, so
   * only who is missing from two lists is without it. Prepared transactions are looked for last: a
   * session that ends with one loses its locks.
   */
  void look(Connection connection) throws SQLException {
    Set<Integer> holding = new HashSet<>();
    for (int time = 0; time < 2; time++) {
      holding.addAll(SessionViews.rows(Sql.of(connection, holders), row -> row.getInt(1)));
    }
    if (Sql.of(connection, PREPARED).number() > 0) {
      holding.add(IN_DOUBT);
    }
    saw(holding);
  }

  /** Takes who holds the lock. While anything is in doubt, nobody is taken to have ended. */
  void saw(Set<Integer> holding) {
    if (!holding.contains(IN_DOUBT)) {
      numberOf.keySet().retainAll(holding);
    }
    for (Integer session : holding) {
      if (!numberOf.containsKey(session)) {
        numberOf.put(session, next++);
      }
    }
  }

  /** Returns a number above that of everybody who was seen in the last look. */
  long witness() {
    return next++;
  }

  /** Returns what the last look says to a poll that is sent after it. */
  Snapshot snapshot() {
    return new Snapshot(next, numbers(), false);
  }

  /** Returns the numbers of those that hold the lock. */
  Set<Long> numbers() {
    return Set.copyOf(numberOf.values());
  }
}
