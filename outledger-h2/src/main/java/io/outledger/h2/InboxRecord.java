// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.inbox.InboxId;
import io.outledger.jdbc.spi.InboxKey;
import io.outledger.jdbc.spi.InboxKeys;
import io.outledger.jdbc.spi.InboxProof;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Proves a transaction by its id, which H2 gives to the next one only after a restart.
 *
 * @param transactionId of the transaction that inserted the ids
 * @param proof what stands in the rows that it inserted, and in no others
 * @param consumer whose ids they are
 * @param ids those that were new
 * @param keys by which it remembers them
 * @param tables where they are
 */
record InboxRecord(
    String transactionId,
    UUID proof,
    String consumer,
    Set<InboxId> ids,
    InboxKeys keys,
    Tables tables)
    implements InboxProof {

  // By the primary key: a roll-back must not read all that the consumer remembers.
  static final String FORGET =
      """
      DELETE FROM {schema}.outledger_inbox
       WHERE consumer_no = ? AND message_hash = ? AND proof = ?\
      """;

  /** Returns the id of the open transaction; empty where it has changed nothing. */
  static String transactionId(Connection connection) throws SQLException {
    return Sql.of(connection, "SELECT TRANSACTION_ID()")
        .first(row -> String.valueOf(row.getString(1)))
        .orElse("");
  }

  @Override
  public void commit(Connection connection, List<InboxProof> others) throws SQLException {
    for (InboxProof other : others) {
      if (!transactionId.equals(((InboxRecord) other).transactionId)) {
        throw ended();
      }
    }
    if (!transactionId.equals(transactionId(connection)) || H2Bounds.hasEnded(connection)) {
      throw ended();
    }
    connection.commit();
  }

  private StoreException ended() {
    return new StoreException(
        ErrorCode.TRANSACTION_NOT_YOURS,
        "the work ended its own transaction, in which consumer "
            + consumer
            + " had recorded "
            + ids.iterator().next()
            + (ids.size() == 1 ? "" : " and " + (ids.size() - 1) + " more")
            + ", or went on after a deadlock; the work must not execute COMMIT, ROLLBACK, or a"
            + " statement that commits, such as CREATE TABLE, and must let the exception of a"
            + " deadlock go on. Changes made afterwards are rolled back, and no message counts as"
            + " processed",
        null);
  }

  @Override
  public void forgetIfCommitted(Connection connection) throws SQLException {
    int forgotten = 0;
    for (InboxKey key : keys.all()) {
      forgotten +=
          Sql.of(connection, tables.in(FORGET), key.consumerNo(), key.hash(), proof).update();
    }
    if (forgotten > 0) {
      connection.commit();
    }
  }
}
