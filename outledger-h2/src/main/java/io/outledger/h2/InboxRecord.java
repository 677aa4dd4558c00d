// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.inbox.InboxId;
import io.outledger.jdbc.spi.InboxProof;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.UUID;

/**
 * Proves a transaction by its id, which H2 gives to the next one only after a restart.
 *
 * @param transactionId of the transaction that inserted the ids
 * @param proof what stands in the rows that it inserted, and in no others
 * @param consumer whose ids they are
 * @param ids those that were new
 * @param tables where they are
 */
record InboxRecord(
    String transactionId, UUID proof, String consumer, Set<InboxId> ids, Tables tables)
    implements InboxProof {

  // By the primary key: a roll-back must not read all that the consumer remembers.
  static final String FORGET =
      """
      DELETE FROM {schema}.outledger_inbox
       WHERE consumer = ? AND source = ? AND message_id = ? AND proof = ?\
      """;

  /** Returns the id of the open transaction; empty where it has changed nothing. */
  static String transactionId(Connection connection) throws SQLException {
    return Sql.of(connection, "SELECT TRANSACTION_ID()")
        .first(row -> String.valueOf(row.getString(1)))
        .orElse("");
  }

  @Override
  public void commit(Connection connection) throws SQLException {
    if (!transactionId.equals(transactionId(connection))) {
      throw ended();
    }
    connection.commit();
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
        "the work ended its own transaction, in which consumer "
            + consumer
            + " had recorded "
            + ids.iterator().next()
            + (ids.size() == 1 ? "" : " and " + (ids.size() - 1) + " more")
            + "; the work must not execute COMMIT, ROLLBACK, or a statement that commits, such as"
            + " CREATE TABLE. Changes made afterwards are rolled back, and no message counts as"
            + " processed",
        null);
  }

  @Override
  public void forgetIfCommitted(Connection connection) throws SQLException {
    int forgotten = 0;
    for (InboxId id : ids) {
      forgotten +=
          Sql.of(connection, tables.in(FORGET), consumer, id.source(), id.id(), proof).update();
    }
    if (forgotten > 0) {
      connection.commit();
    }
  }
}
