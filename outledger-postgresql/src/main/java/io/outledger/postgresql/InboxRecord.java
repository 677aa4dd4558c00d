// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.inbox.InboxId;
import io.outledger.jdbc.spi.InboxProof;
import io.outledger.jdbc.spi.RedactedSqlException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;

/**
 * Proves a transaction by its id on the server, which is never given out again.
 *
 * @param transactionId the server's id of the transaction that inserted the ids
 * @param consumer whose they are
 * @param ids those that were new
 * @param forget the statement that deletes ids of a consumer
 */
record InboxRecord(String transactionId, String consumer, Set<InboxId> ids, String forget)
    implements InboxProof {

  private static final String ENDED = "the work ended its own transaction";

  // One round trip, as a commit alone takes: where the first statement fails, the server does not
  // reach the second one. The cast cannot succeed, and shows its text. An id of a transaction is
  // never given out again, so a later one cannot be taken for it.
  private static final String COMMIT =
      "SELECT CAST(CASE pg_current_xact_id_if_assigned()::text WHEN ? THEN '0' ELSE '"
          + ENDED
          + "' END AS int); COMMIT";

  private static final String CONVERSION_FAILED = "22P02";

  @Override
  public void commit(Connection connection) throws SQLException {
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
  }

  @Override
  public void requireSameTransaction(InboxProof other) {
    if (!transactionId.equals(((InboxRecord) other).transactionId)) {
      throw ended();
    }
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
    if (!isCommitted(connection)) {
      return;
    }
    try (PreparedStatement delete = connection.prepareStatement(forget)) {
      delete.setArray(
          1, connection.createArrayOf("text", ids.stream().map(InboxId::source).toArray()));
      delete.setArray(2, connection.createArrayOf("text", ids.stream().map(InboxId::id).toArray()));
      delete.setString(3, consumer);
      delete.executeUpdate();
    }
    connection.commit();
  }

  private boolean isCommitted(Connection connection) throws SQLException {
    try (PreparedStatement look =
        connection.prepareStatement("SELECT pg_xact_status(?::xid8) = 'committed'")) {
      look.setString(1, transactionId);
      try (ResultSet row = look.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }
}
