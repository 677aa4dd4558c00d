// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.StoreException;
import io.outledger.event.TypeVersion;
import io.outledger.saga.SagaId;
import io.outledger.saga.SagaPhase;
import io.outledger.saga.SagaRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The sagas that have not ended, in the table {@code outledger_saga}, the same on every database.
 * Every method works in the caller's transaction. Thread-safe.
 *
 * <p>No row is locked to be read. Of two transactions that have read one version, the second waits
 * at its own statement for the end of the first, and then finds no row of that version: nothing is
 * ever written over a state that was not read.
 */
public final class SagaTable {

  // The primary key, like all others here.
  private static final String FIND =
      """
      SELECT x.version, x.phase, x.waits_for, x.timeouts, x.done_steps, x.state_type,
             x.state_version, x.payload
        FROM {schema}.outledger_saga x WHERE x.saga = ? AND x.saga_key = ?\
      """;
  private static final String INSERT =
      """
      INSERT INTO {schema}.outledger_saga
             (version, phase, waits_for, timeouts, done_steps, state_type, state_version, payload,
              saga, saga_key, started_at, changed_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, {now}, {now})\
      """;
  private static final String UPDATE =
      """
      UPDATE {schema}.outledger_saga
         SET version = ?, phase = ?, waits_for = ?, timeouts = ?, done_steps = ?, state_type = ?,
             state_version = ?, payload = ?, changed_at = {now}
       WHERE saga = ? AND saga_key = ? AND version = ?\
      """;
  private static final String DELETE =
      "DELETE FROM {schema}.outledger_saga WHERE saga = ? AND saga_key = ? AND version = ?";

  private static final String LIVE = "SELECT 1 FROM {schema}.outledger_saga x WHERE x.saga = ?";

  // Few rows, and once in a process.
  private static final String RELAYS =
      """
      SELECT d.ended FROM {schema}.outledger_declaration d
       WHERE d.reader_kind = 'subscription' AND d.route = ? AND d.renamed_to IS NULL\
      """;

  private final SqlNaming naming;

  /**
   * Creates it, without I/O.
   *
   * @param naming the words of its schema
   * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null
   */
  public SagaTable(SqlNaming naming) {
    this.naming = Require.nonNull("naming", naming);
  }

  /**
   * Returns a saga; empty where it is not there.
   *
   * @throws StoreException {@code OUT-042} if somebody has changed its row, so that it is none
   */
  public Optional<SagaRow> find(Connection transaction, SagaId id) throws SQLException {
    Require.nonNull("id", id);
    try (PreparedStatement statement = prepared(transaction, FIND, id.saga(), id.key());
        ResultSet row = statement.executeQuery()) {
      return row.next() ? Optional.of(read(row, id)) : Optional.empty();
    }
  }

  private static SagaRow read(ResultSet row, SagaId id) throws SQLException {
    try {
      return new SagaRow(
          id,
          row.getLong(1),
          SagaPhase.of(row.getString(2)),
          SagaText.progress(row.getString(3), row.getString(4), row.getString(5)),
          new TypeVersion(row.getString(6), row.getInt(7)),
          row.getBytes(8));
    } catch (IllegalArgumentException e) {
      throw new StoreException(
          ErrorCode.SAGA_UNREADABLE,
          "the row of saga "
              + id
              + " cannot be read, so somebody has changed it ("
              + e.getMessage()
              + "); its message is kept, without an attempt: correct the row",
          e);
    }
  }

  /** Returns whether any saga of a name has not ended. */
  public boolean isAny(Connection transaction, String saga) throws SQLException {
    try (PreparedStatement statement = prepared(transaction, LIVE, Require.nonNull("saga", saga))) {
      statement.setMaxRows(1);
      try (ResultSet row = statement.executeQuery()) {
        return row.next();
      }
    }
  }

  /** Returns whether any relay has declared a saga as its handler. */
  public boolean isRelayed(Connection transaction, String saga) throws SQLException {
    Require.nonNull("saga", saga);
    try (PreparedStatement statement = prepared(transaction, RELAYS, saga);
        ResultSet row = statement.executeQuery()) {
      boolean isThere = false;
      while (!isThere && row.next()) {
        isThere = !row.getBoolean(1);
      }
      return isThere;
    }
  }

  /**
   * Inserts a saga that has started.
   *
   * @throws SQLException of {@link ErrorClass#DUPLICATE_KEY} if it is there
   */
  public void insert(Connection transaction, SagaRow row) throws SQLException {
    SagaRow.Progress progress = Require.nonNull("row", row).progress();
    try (PreparedStatement statement =
        prepared(
            transaction,
            INSERT,
            row.version(),
            row.phase().stored(),
            progress.waitsFor(),
            SagaText.timeouts(progress),
            SagaText.done(progress),
            row.type().name(),
            row.type().version(),
            row.state(),
            row.id().saga(),
            row.id().key())) {
      statement.executeUpdate();
    }
  }

  /**
   * Writes a saga that has moved.
   *
   * @param row its version is one more than that of the row that is replaced
   * @return whether it was of that version
   */
  public boolean update(Connection transaction, SagaRow row) throws SQLException {
    SagaRow.Progress progress = Require.nonNull("row", row).progress();
    try (PreparedStatement statement =
        prepared(
            transaction,
            UPDATE,
            row.version(),
            row.phase().stored(),
            progress.waitsFor(),
            SagaText.timeouts(progress),
            SagaText.done(progress),
            row.type().name(),
            row.type().version(),
            row.state(),
            row.id().saga(),
            row.id().key(),
            row.version() - 1)) {
      return statement.executeUpdate() == 1;
    }
  }

  /**
   * Removes a saga that has ended.
   *
   * @return whether it was of that version
   */
  public boolean delete(Connection transaction, SagaId id, long version) throws SQLException {
    Require.nonNull("id", id);
    try (PreparedStatement statement =
        prepared(transaction, DELETE, id.saga(), id.key(), version)) {
      return statement.executeUpdate() == 1;
    }
  }

  private PreparedStatement prepared(Connection transaction, String sql, @Nullable Object... values)
      throws SQLException {
    PreparedStatement statement =
        Require.nonNull("transaction", transaction).prepareStatement(naming.in(sql));
    try {
      naming.values().bind(statement, values);
      return statement;
    } catch (SQLException | RuntimeException e) {
      statement.close();
      throw e;
    }
  }
}
