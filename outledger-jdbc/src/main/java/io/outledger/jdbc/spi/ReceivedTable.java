// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import io.outledger.receive.ParkedReceived;
import io.outledger.store.ParkedFailure;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The messages that consumers have received and parked. Every method works in the caller's
 * transaction. Numbers rise in the order in which the messages of a key are parked. Thread-safe.
 */
public interface ReceivedTable {

  /**
   * Inserts inbox records of those messages that were not processed or parked before and whose key
   * is not blocked, as {@link InboxTable#insert} does, in one statement where the database can.
   *
   * @param batch one or more, each id once
   * @param look what is known of their keys
   */
  Admission admit(Connection transaction, String consumer, List<Received> batch, Look look)
      throws SQLException;

  /** What is known when messages are admitted. */
  enum Look {
    /** The keys are not locked: dead letters of a key might be made to block it meanwhile. */
    FIRST,
    /**
     * The keys are locked, in a transaction of {@link Database#handlingBounds}: a key with dead
     * letters that do not block it is as good as any other.
     */
    LOCKED,
    /**
     * The keys are locked, in a transaction of which the isolation is not known: where it may have
     * a snapshot of before the lock, it cannot tell whether dead letters of a key block it by now,
     * so they do.
     */
    LOCKED_IN_ANY
  }

  /**
   * Returns those of some ids that were processed or parked before, in one statement where the
   * database can.
   *
   * @param ids one or more
   */
  Set<InboxId> known(Connection transaction, String consumer, Set<InboxId> ids) throws SQLException;

  /** Returns how many messages a consumer has parked, or the limit where they are more. */
  int count(Connection transaction, String consumer, int limit) throws SQLException;

  /**
   * Parks messages, in order, unless they were processed or parked before.
   *
   * @return how many were parked
   */
  int park(Connection transaction, String consumer, List<Received> batch, ParkedFailure failure)
      throws SQLException;

  /**
   * Returns messages that are not dead, whose time has come, and before which no message of their
   * key blocks; earliest first.
   */
  List<ParkedReceived> due(Connection transaction, String consumer, int limit) throws SQLException;

  /** Returns the next message of the same key that blocks and is not dead. */
  Optional<ParkedReceived> next(Connection transaction, String consumer, ParkedReceived after)
      throws SQLException;

  /**
   * Locks a message's row and returns the message; empty where it is gone, locked by another
   * transaction, dead, to be tried later, or where the count of its attempts has changed.
   *
   * @param parked the message, with the count of its attempts when the caller chose it
   */
  Optional<Received> lock(Connection transaction, String consumer, ParkedReceived parked)
      throws SQLException;

  /** Returns whether no message of the key with a lower number blocks. */
  boolean isFirst(Connection transaction, String consumer, ParkedReceived parked)
      throws SQLException;

  /** Removes a message. */
  void remove(Connection transaction, String consumer, long number) throws SQLException;

  /** Changes a message's state where the count of its attempts is still the given one. */
  void fail(Connection transaction, String consumer, ParkedReceived parked, ParkedFailure failure)
      throws SQLException;

  /** Locks and returns messages that are to be discarded, but for those locked by others. */
  List<ParkedReceived> toDiscard(Connection transaction, String consumer, int limit)
      throws SQLException;

  /** Makes messages due, and block their keys, that are to be retried; skips locked ones. */
  void allowRetries(Connection transaction, String consumer, int limit) throws SQLException;

  /** Returns the names of all consumers that have processed or parked a message. */
  Set<String> consumers(Connection transaction) throws SQLException;
}
