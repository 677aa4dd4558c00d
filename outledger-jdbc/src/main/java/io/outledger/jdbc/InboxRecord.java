// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.inbox.InboxId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;

/**
 * What an inbox has remembered in a transaction, and the proof that it is still that transaction
 * which commits. Work that ends its transaction by a statement of its own, and goes on in the next
 * one, would otherwise lose the message: its effects partly gone, its record with them or without,
 * and the sender told that all is done.
 *
 * @param transactionId the server's id of the transaction that inserted the ids
 * @param consumer whose they are
 * @param ids those that were new
 * @param forget the statement that deletes ids of a consumer
 */
record InboxRecord(String transactionId, String consumer, Set<InboxId> ids, String forget) {

  private static final String ENDED = "the work has ended its transaction";

  // One round trip, as a commit alone takes: where the first statement fails, the server does not
  // reach the second one. The cast cannot succeed, and shows its text. An id of a transaction is
  // never given out again, so a later one cannot be taken for it.
  private static final String COMMIT =
      "SELECT CAST(CASE pg_current_xact_id_if_assigned()::text WHEN ? THEN '0' ELSE '"
          + ENDED
          + "' END AS int); COMMIT";

  private static final String CONVERSION_FAILED = "22P02";

  /**
   * Commits the transaction.
   *
   * @throws StoreException {@code OUT-030} where it is another one by now; nothing was committed
   * @throws SQLException where the database failed
   */
  void commit(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(COMMIT)) {
      statement.setString(1, transactionId);
      statement.execute();
    } catch (SQLException e) {
      if (CONVERSION_FAILED.equals(e.getSQLState()) && Undetailed.firstLine(e).contains(ENDED)) {
        throw ended();
      }
      throw e;
    }
  }

  /** Refuses two records of one piece of work that are not of one transaction. */
  void requireSameTransaction(InboxRecord other) {
    if (!transactionId.equals(other.transactionId)) {
      throw ended();
    }
  }

  private StoreException ended() {
    return new StoreException(
        ErrorCode.TRANSACTION_NOT_YOURS,
        ENDED
            + ", in which the consumer "
            + consumer
            + " had remembered "
            + ids.iterator().next()
            + (ids.size() == 1 ? "" : " and " + (ids.size() - 1) + " more")
            + ": it must not execute COMMIT, ROLLBACK or PREPARE TRANSACTION. What it did after"
            + " that is rolled back, and nothing counts as processed",
        null);
  }

  /**
   * Deletes the ids where the work had committed them by itself and then failed: they must be new
   * when they come again. To be called once the transaction has been rolled back.
   */
  void forgetIfCommitted(Connection connection) throws SQLException {
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
