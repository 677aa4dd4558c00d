// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import io.outledger.inbox.InboxId;
import io.outledger.jdbc.admin.Verb;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is kept of the messages that an operator erases: rows of the ledger, and what subscriptions
 * and consumers have parked. The same on every database. Every method works in the caller's
 * transaction. Thread-safe.
 *
 * <p>A row of the ledger stays, without payload and headers, and so does a parked row of a
 * subscription, whose owner counts the rows of a key in its memory: the owner discards it.
 */
public final class ErasureRows {

  static final byte[] NOTHING = new byte[0];

  // Whoever copies messages of the ledger to parked rows holds this lock: it has ended, or sees
  // what is erased.
  private static final String LOCK = "SELECT r.purged_to FROM {schema}.outledger_retention r";

  // One step along the primary key.
  private static final String LAST = "SELECT MAX(m.position) FROM {schema}.outledger_message m";
  private static final String NEXT =
      "SELECT MIN(m.position) FROM {schema}.outledger_message m WHERE m.position > ?";

  private static final String SUBSCRIPTIONS =
      """
      SELECT s.subscription, s.partition_no FROM {schema}.outledger_subscription s
       ORDER BY s.subscription, s.partition_no\
      """;

  // A range of the primary key.
  private static final String FITTING =
      """
      SELECT m.position FROM {schema}.outledger_message m
       WHERE m.position > ? AND m.position <= ? AND m.%s = ?
       ORDER BY m.position LIMIT ?\
      """;
  private static final String ERASE =
      """
      UPDATE {schema}.outledger_message SET payload = ?, headers = NULL, erased = TRUE
       WHERE position = ? AND NOT erased\
      """;

  // Both: all that is parked, which relays and receivers bound.
  private static final String PARKED =
      """
      SELECT %s FROM {schema}.outledger_parked p
       WHERE NOT p.withdrawn AND p.%s = ? LIMIT ?\
      """;
  private static final String RECEIVED =
      """
      SELECT p.consumer, p.number, p.source, p.message_id FROM {schema}.outledger_inbox_parked p
       WHERE p.%s = ? LIMIT ?\
      """;

  // An owner may have read it before, and be about to send it.
  private static final String OWNED =
      """
      SELECT p.subscription, p.partition_no FROM {schema}.outledger_parked p
        JOIN {schema}.outledger_subscription s
          ON s.subscription = p.subscription AND s.partition_no = p.partition_no
       WHERE p.withdrawn AND p.%s = ? AND s.lease_until > {now} LIMIT 1\
      """;

  // Attempts may quote it, and its owner may be long in coming.
  private static final String FORGET_ATTEMPTS =
      """
      DELETE FROM {schema}.outledger_attempt
       WHERE EXISTS (SELECT 1 FROM {schema}.outledger_parked p
                      WHERE p.subscription = outledger_attempt.subscription
                        AND p.partition_no = outledger_attempt.partition_no
                        AND p.position = outledger_attempt.position
                        AND p.route = outledger_attempt.route AND p.id = outledger_attempt.id
                        AND %s)\
      """;

  static final String WITHDRAW =
      """
      UPDATE {schema}.outledger_parked
         SET payload = ?, headers = NULL, error = NULL, withdrawn = TRUE, requested = 'discard',
             request_id = NULL, request_attempts = NULL, changed_at = {now}\
      """;

  private final SqlNaming naming;
  private final RowAddress rows;
  private final String forUpdate;

  /**
   * Creates it, without I/O.
   *
   * @param naming the words of its schema
   * @param rows how rows are locked and found again
   * @param forUpdate what follows a query whose rows are to be locked, waiting for others
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public ErasureRows(SqlNaming naming, RowAddress rows, String forUpdate) {
    this.naming = Require.nonNull("naming", naming);
    this.rows = Require.nonNull("rows", rows);
    this.forUpdate = Require.nonNull("forUpdate", forUpdate);
  }

  /**
   * A message that a consumer has parked.
   *
   * @param consumer the consumer
   * @param number the row's number
   * @param id by which the consumer remembers it
   */
  public record Receipt(String consumer, long number, InboxId id) {

    /**
     * Checks what is given.
     *
     * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
     */
    public Receipt {
      Require.nonNull("consumer", consumer);
      Require.nonNull("id", id);
    }
  }

  /**
   * What was erased of what subscriptions had parked.
   *
   * @param messages how many messages
   * @param attempts how many failed attempts at them
   */
  public record Withdrawn(int messages, int attempts) {}

  /** Returns all subscriptions. */
  public List<CursorKey> subscriptions(Connection transaction) throws SQLException {
    return rows(transaction, SUBSCRIPTIONS, row -> new CursorKey(row.getString(1), row.getInt(2)));
  }

  /**
   * Waits for whoever copies messages of the ledger, and keeps others from it.
   *
   * @throws io.outledger.ConfigurationException if the row that is locked is missing
   */
  public void lock(Connection transaction) throws SQLException {
    if (number(transaction, LOCK + forUpdate).isEmpty()) {
      throw MissingRow.of("outledger_retention");
    }
  }

  /** Returns the position of the last message; 0 where there is none. */
  public long last(Connection transaction) throws SQLException {
    return number(transaction, LAST).orElse(0);
  }

  /** Returns the position of the first message above one; empty where there is none. */
  public OptionalLong next(Connection transaction, long above) throws SQLException {
    return number(transaction, NEXT, above);
  }

  /**
   * Returns the positions of messages that are to be erased, in order.
   *
   * @param above only those above this position
   * @param upTo only those up to this position
   * @param limit at most this many
   */
  public List<Long> fitting(
      Connection transaction, Verb.Erase what, long above, long upTo, int limit)
      throws SQLException {
    return rows(
        transaction,
        FITTING.formatted(idOrKeyColumn(what)),
        row -> row.getLong(1),
        above,
        upTo,
        idOrKey(what),
        limit);
  }

  /** Erases the messages at some positions, and returns how many there were. */
  public int erase(Connection transaction, List<Long> positions) throws SQLException {
    Require.nonNull("transaction", transaction);
    Require.nonNull("positions", positions);
    return update(transaction, ERASE, positions);
  }

  /**
   * Erases what subscriptions have parked, for their owners to discard; what an owner is just
   * changing is passed over.
   *
   * @param limit at most this many
   */
  public Withdrawn withdraw(Connection transaction, Verb.Erase what, int limit)
      throws SQLException {
    List<String> addresses =
        rows(
            transaction,
            parked(rows.address(), what) + rows.skipLocked(),
            row -> row.getString(1),
            idOrKey(what),
            limit);
    int attempts = 0;
    try (PreparedStatement statement =
        prepared(transaction, FORGET_ATTEMPTS.formatted(rows.isAt()))) {
      for (String address : addresses) {
        statement.setString(1, address);
        attempts += statement.executeUpdate();
      }
    }
    int messages = update(transaction, WITHDRAW + " WHERE " + rows.isAt(), addresses);
    return new Withdrawn(messages, attempts);
  }

  /**
   * Locks and returns what consumers have parked, but for what is locked by others.
   *
   * @param limit at most this many
   */
  public List<Receipt> receipts(Connection transaction, Verb.Erase what, int limit)
      throws SQLException {
    return rows(
        transaction,
        received(what) + rows.skipLocked(),
        ErasureRows::receipt,
        idOrText(what),
        limit);
  }

  /** Returns whether something is parked that is still to be erased. */
  public boolean isAnyLeft(Connection transaction, Verb.Erase what) throws SQLException {
    return !rows(transaction, parked("p.position", what), row -> true, idOrKey(what), 1).isEmpty()
        || !rows(transaction, received(what), row -> true, idOrText(what), 1).isEmpty();
  }

  /**
   * Returns a subscription whose owner has not discarded yet what it had parked of it; empty where
   * there is none, or it has no owner: the next one finds the rows as they are now.
   */
  public Optional<CursorKey> owned(Connection transaction, Verb.Erase what) throws SQLException {
    return rows(
            transaction,
            OWNED.formatted(idOrKeyColumn(what)),
            row -> new CursorKey(row.getString(1), row.getInt(2)),
            idOrKey(what))
        .stream()
        .findFirst();
  }

  private static String parked(String columns, Verb.Erase what) {
    return PARKED.formatted(columns, idOrKeyColumn(what));
  }

  private static String idOrKeyColumn(Verb.Erase what) {
    return Require.nonNull("what", what).id() == null ? "message_key" : "id";
  }

  private static String received(Verb.Erase what) {
    return RECEIVED.formatted(
        Require.nonNull("what", what).id() == null ? "message_key" : "message_id");
  }

  private static Receipt receipt(ResultSet row) throws SQLException {
    return new Receipt(
        row.getString(1), row.getLong(2), new InboxId(row.getString(3), row.getString(4)));
  }

  private static Object idOrKey(Verb.Erase what) {
    return what.id() == null ? String.valueOf(what.key()) : what.id();
  }

  private static Object idOrText(Verb.Erase what) {
    return idOrKey(what).toString();
  }

  private <T> List<T> rows(
      Connection transaction, String sql, ReceivedTableBySql.Row<T> row, Object... values)
      throws SQLException {
    List<T> all = new ArrayList<>();
    try (PreparedStatement statement = prepared(transaction, sql)) {
      naming.values().bind(statement, values);
      try (ResultSet found = statement.executeQuery()) {
        while (found.next()) {
          all.add(row.read(found));
        }
      }
    }
    return all;
  }

  private OptionalLong number(Connection transaction, String sql, Object... values)
      throws SQLException {
    return rows(
            transaction,
            sql,
            row -> {
              long number = row.getLong(1);
              return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(number);
            },
            values)
        .stream()
        .findFirst()
        .orElse(OptionalLong.empty());
  }

  /** Empties the payload of each row, which the second parameter finds. */
  private int update(Connection transaction, String sql, List<?> found) throws SQLException {
    if (found.isEmpty()) {
      return 0;
    }
    int changed = 0;
    try (PreparedStatement statement = prepared(transaction, sql)) {
      for (Object each : found) {
        statement.setBytes(1, NOTHING);
        naming.values().bind(statement, 2, each);
        statement.addBatch();
      }
      for (int count : statement.executeBatch()) {
        changed += Math.max(0, count);
      }
    }
    return changed;
  }

  private PreparedStatement prepared(Connection transaction, String sql) throws SQLException {
    return Require.nonNull("transaction", transaction).prepareStatement(naming.in(sql));
  }
}
