// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.inbox.InboxId;
import io.outledger.jdbc.spi.InboxKeys;
import io.outledger.jdbc.spi.InboxProof;
import io.outledger.jdbc.spi.RedactedSqlException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Proves a transaction by its id on the server, which is never given out again.
 *
 * @param transactionId the server's id of the transaction that inserted the ids
 * @param consumer whose they are
 * @param ids those that were new
 * @param keys by which it remembers them
 * @param forget the statement that deletes ids of a consumer
 */
record InboxRecord(
    String transactionId, String consumer, Set<InboxId> ids, InboxKeys keys, String forget)
    implements InboxProof {

  private static final String ENDED = "the work ended its own transaction";

  // One round trip, as a commit alone takes: where the first statement fails, the server does not
  // reach the second one. The cast cannot succeed, and shows its text. An id of a transaction is
  // never given out again, so a later one cannot be taken for it.
  private static final String COMMIT =
      "SELECT CAST(CASE pg_current_xact_id_if_assigned()::text WHEN ? THEN '0' ELSE '"
          + ENDED
          + "' END AS int); COMMIT";

  private static final String ROLL_BACK_PREPARED =
      """
      SELECT format('ROLLBACK PREPARED %L', p.gid) FROM pg_prepared_xacts p
       WHERE p.transaction = ?::xid8::xid AND p.database = current_database()\
      """;

  private static final String CONVERSION_FAILED = "22P02";

  @Override
  public void commit(Connection connection, List<InboxProof> others) throws SQLException {
    for (InboxProof other : others) {
      if (!transactionId.equals(((InboxRecord) other).transactionId)) {
        throw ended();
      }
    }
    try (PreparedStatement statement = connection.prepareStatement(COMMIT)) {
      statement.setString(1, transactionId);
      statement.execute();
    } catch (SQLException e) {
      if (CONVERSION_FAILED.equals(e.getSQLState())
          && RedactedSqlException.firstLine(e).contains(ENDED)) {
        throw ended();
      }
      throw e;
    }
    connection.commit(); // tells the driver and the pool; it costs no round trip
  }

  private StoreException ended() {
    return new StoreException(
        ErrorCode.TRANSACTION_NOT_YOURS,
        ENDED
            + ", in which consumer "
            + consumer
            + " had recorded "
            + ids.iterator().next()
            + (ids.size() == 1 ? "" : " and " + (ids.size() - 1) + " more")
            + "; the work must not execute COMMIT, ROLLBACK or PREPARE TRANSACTION. Changes made"
            + " afterwards are rolled back, and no message counts as processed",
        null);
  }

  @Override
  public void forgetIfCommitted(Connection connection) throws SQLException {
    switch (status(connection)) {
      case "committed" -> delete(connection);
      case "in progress" -> rollBackPrepared(connection); // it is over for this session
      default -> {}
    }
  }

  private void delete(Connection connection) throws SQLException {
    try (PreparedStatement delete = connection.prepareStatement(forget)) {
      PostgresInbox.bind(delete, 1, keys);
      delete.executeUpdate();
    }
    connection.commit();
  }

  private String status(Connection connection) throws SQLException {
    return first(connection, "SELECT pg_xact_status(?::xid8)").orElse("");
  }

  // It has the ids locked: whoever inserts them again would wait for its end.
  private void rollBackPrepared(Connection connection) throws SQLException {
    Optional<String> rollBack = first(connection, ROLL_BACK_PREPARED);
    if (rollBack.isEmpty()) {
      return;
    }
    connection.rollback();
    connection.setAutoCommit(true); // the statement is refused within a transaction
    try (Statement statement = connection.createStatement()) {
      statement.execute(rollBack.get());
    } finally {
      connection.setAutoCommit(false);
    }
  }

  private Optional<String> first(Connection connection, String query) throws SQLException {
    try (PreparedStatement look = connection.prepareStatement(query)) {
      look.setString(1, transactionId);
      try (ResultSet row = look.executeQuery()) {
        return row.next() ? Optional.ofNullable(row.getString(1)) : Optional.empty();
      }
    }
  }
}
