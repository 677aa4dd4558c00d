// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Message;
import io.outledger.Require;
import io.outledger.jdbc.admin.ParkedRequest;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The parked message of a subscription in whose place another one is appended. The same on every
 * database. Every method works in the caller's transaction. Thread-safe.
 */
public final class RevisionRows {

  private static final String AT =
      "subscription = ? AND partition_no = ? AND position = ? AND route = ? AND id = ?";

  // All: the primary key.
  private static final String LOCK =
      """
      SELECT p.topic, p.message_key, p.type, p.version, p.payload, p.headers, p.state, p.withdrawn,
             p.requested, p.next_attempt_at, p.replayed,
             CASE WHEN p.request_id IS NOT NULL AND p.attempts = p.request_attempts
                  THEN p.changed_at END
        FROM {schema}.outledger_parked p\
      """
          + " WHERE "
          + AT;
  private static final String IS_THERE =
      "SELECT p.position FROM {schema}.outledger_parked p WHERE " + AT;

  // The last rows of the primary key. Who has the lease, and had it at a time: nobody else is at a
  // row that was changed then.
  private static final String OWNER_SINCE =
      """
      SELECT COUNT(*) FROM {schema}.outledger_cursor c
       WHERE c.subscription = ? AND c.partition_no = ?
         AND c.n = (SELECT MAX(x.n) FROM {schema}.outledger_cursor x
                     WHERE x.subscription = ? AND x.partition_no = ?)
         AND c.lease_until > {now}
         AND NOT EXISTS (SELECT 1 FROM {schema}.outledger_cursor t
                          WHERE t.subscription = ? AND t.partition_no = ?
                            AND t.taken AND t.lease_until IS NOT NULL AND t.saved_at > ?)\
      """;
  private static final String FORGET_ATTEMPTS =
      "DELETE FROM {schema}.outledger_attempt WHERE " + AT;

  private final SqlNaming naming;
  private final RowAddress rows;
  private final CursorKey key;

  /**
   * Creates it, without I/O.
   *
   * @param naming the words of its schema
   * @param rows how rows are locked
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public RevisionRows(SqlNaming naming, RowAddress rows, CursorKey key) {
    this.naming = Require.nonNull("naming", naming);
    this.rows = Require.nonNull("rows", rows);
    this.key = Require.nonNull("key", key);
  }

  /**
   * A parked message.
   *
   * @param message topic, key, type, version, payload and headers of the message, in a new one
   * @param state why it is parked
   * @param withdrawn whether an operator has taken it back
   * @param requested what an operator has asked for, and its owner has still to carry out; or null
   * @param nextAttemptAt when it is tried again; null where it waits for something else
   * @param isReplay whether it is the copy that a replay has made
   * @param awaitedSince since when an attempt is awaited that somebody has asked for, also where
   *     the request was taken back: who owned the subscription then may be at it; null where one
   *     has ended, or nobody has asked
   */
  public record Row(
      Message.Builder message,
      ParkedState state,
      boolean withdrawn,
      @Nullable ParkedRequest requested,
      @Nullable Instant nextAttemptAt,
      boolean isReplay,
      @Nullable Instant awaitedSince) {

    /**
     * Checks what is given.
     *
     * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
     */
    public Row {
      Require.nonNull("message", message);
      Require.nonNull("state", state);
    }
  }

  /** Locks a parked message; empty where it is gone, or another transaction has it locked. */
  public Optional<Row> lock(Connection transaction, ParkedPlace place) throws SQLException {
    try (PreparedStatement statement = at(transaction, LOCK + rows.skipLocked(), 1, place);
        ResultSet row = statement.executeQuery()) {
      return row.next() ? Optional.of(read(row)) : Optional.empty();
    }
  }

  private Row read(ResultSet row) throws SQLException {
    Message.Builder message =
        Message.to(row.getString(1), row.getString(3))
            .version(row.getInt(4))
            .payload(row.getBytes(5));
    String messageKey = row.getString(2);
    if (messageKey != null) {
      message.key(messageKey);
    }
    HeaderText.decode(row.getString(6)).forEach(message::header);
    return new Row(
        message,
        ParkedState.valueOf(row.getString(7).toUpperCase(Locale.ROOT)),
        row.getBoolean(8),
        ParkedRequest.of(row.getString(9)),
        naming.values().readTime(row, 10),
        row.getBoolean(11),
        naming.values().readTime(row, 12));
  }

  /** Returns whether who owns the subscription now owned it at a time. */
  public boolean isOwnedSince(Connection transaction, Instant time) throws SQLException {
    Require.nonNull("time", time);
    try (PreparedStatement statement =
        Require.nonNull("transaction", transaction).prepareStatement(naming.in(OWNER_SINCE))) {
      int at = key.bind(statement, key.bind(statement, key.bind(statement, 1)));
      naming.values().bind(statement, at, time);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1) > 0;
      }
    }
  }

  /** Returns whether a message is parked, locked or not. */
  public boolean isThere(Connection transaction, ParkedPlace place) throws SQLException {
    try (PreparedStatement statement = at(transaction, IS_THERE, 1, place);
        ResultSet row = statement.executeQuery()) {
      return row.next();
    }
  }

  /** Takes a parked message back: nobody tries it, and its owner discards it. */
  public void withdraw(Connection transaction, ParkedPlace place) throws SQLException {
    try (PreparedStatement statement = at(transaction, FORGET_ATTEMPTS, 1, place)) {
      statement.executeUpdate(); // they may quote it
    }
    try (PreparedStatement statement =
        at(transaction, ErasureRows.WITHDRAW + " WHERE " + AT, 2, place)) {
      statement.setBytes(1, ErasureRows.NOTHING);
      statement.executeUpdate();
    }
  }

  private PreparedStatement at(Connection transaction, String sql, int from, ParkedPlace place)
      throws SQLException {
    Require.nonNull("transaction", transaction);
    Require.nonNull("place", place);
    PreparedStatement statement = transaction.prepareStatement(naming.in(sql));
    int next = key.bind(statement, from);
    statement.setLong(next, place.position());
    statement.setString(next + 1, place.route());
    naming.values().bind(statement, next + 2, place.id());
    return statement;
  }
}
