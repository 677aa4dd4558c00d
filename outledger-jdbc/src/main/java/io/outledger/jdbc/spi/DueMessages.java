// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Message;
import io.outledger.Require;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a mover does with the messages that wait: it takes those that are due, in the order of their
 * time and then of their number, out of {@code outledger_scheduled}. Every method works in the
 * caller's transaction, at READ COMMITTED. Thread-safe.
 *
 * <p>One mover works at a time, under a lease. The lease saves work and no message rests on it: a
 * message is moved by the transaction that has locked and removed its row, whoever runs it.
 */
public interface DueMessages {

  /**
   * Which row it is, of all times: a database may give the number of one that is gone out again.
   *
   * @param number its number, in the order in which messages were scheduled
   * @param id the message's; null where the row has none that can be read
   */
  record Row(long number, @Nullable UUID id) {}

  /**
   * A message that is due.
   *
   * @param row which one
   * @param key its ordering key; null where it has none
   * @param bytes the size of its payload and headers
   */
  record Due(Row row, @Nullable String key, long bytes) {

    /**
     * Checks what is given.
     *
     * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
     */
    public Due {
      Require.nonNull("row", row);
    }

    /** Returns its number. */
    public long number() {
      return row.number();
    }
  }

  /**
   * A lease, as the database has it.
   *
   * @param holder the mover that has taken it
   * @param until when it ends, by the database's clock
   */
  record Lease(UUID holder, Instant until) {

    /**
     * Checks what is given.
     *
     * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
     */
    public Lease {
      Require.nonNull("holder", holder);
      Require.nonNull("until", until);
    }
  }

  /**
   * Messages that a transaction has locked, by their numbers.
   *
   * @param messages those that can be moved, with the database's time of now
   * @param unreadable why others cannot be read: what the row says is no message
   */
  record Locked(Map<Long, Message> messages, Map<Long, String> unreadable) {

    /**
     * Checks what is given.
     *
     * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
     */
    public Locked {
      Require.nonNull("messages", messages);
      Require.nonNull("unreadable", unreadable);
    }
  }

  /**
   * Returns how long it is until the next message is due, by the database's clock; zero or less
   * where one is due; empty where none waits. One step in an index.
   */
  Optional<Duration> untilNext(Connection transaction) throws SQLException;

  /**
   * Takes the lease, or prolongs it.
   *
   * @param mover who takes it
   * @param length from now on
   * @param over a lease that has not changed for its length by the mover's own clock: it is taken
   *     also where the database's clock was set back since; null for none
   * @return whether the mover has it: not where another one has it still
   */
  boolean takeLease(Connection transaction, UUID mover, Duration length, @Nullable Lease over)
      throws SQLException;

  /**
   * Returns the lease as it was last taken; empty where no mover has been yet. It locks nothing.
   */
  Optional<Lease> lease(Connection transaction) throws SQLException;

  /** Returns whether a mover has the lease. It locks nothing. */
  boolean hasLease(Connection transaction, UUID mover) throws SQLException;

  /** Ends the lease of a mover, where it has it. */
  void giveLeaseBack(Connection transaction, UUID mover) throws SQLException;

  /**
   * Returns the messages that are due, in order, without locking them: also those that others have
   * locked, to cancel them for instance.
   *
   * @param rows at most this many, the first ones
   * @param without keys whose messages are left out
   */
  List<Due> due(Connection transaction, int rows, Set<String> without) throws SQLException;

  /**
   * Locks messages until the transaction ends, and returns those that were to be had. What others
   * have locked, or have removed since, is not among them. No other row is read.
   *
   * @param wanted some that were due, one or more
   */
  Locked lock(Connection transaction, List<Due> wanted) throws SQLException;

  /**
   * Removes messages that this transaction has locked.
   *
   * @param numbers one or more
   * @return how many were removed
   */
  int remove(Connection transaction, List<Long> numbers) throws SQLException;
}
