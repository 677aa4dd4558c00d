// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.inbox.InboxId;
import io.outledger.jdbc.spi.InboxKey;
import io.outledger.jdbc.spi.InboxKeys;
import io.outledger.jdbc.spi.InboxProof;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.UUID;

/**
 * Proves a transaction by a {@link Mark} in it.
 *
 * @param proof what stands in the rows that it inserted, and in no others
 * @param consumer whose ids they are
 * @param ids those that were new
 * @param keys by which it remembers them
 * @param tables where they are
 */
record InboxRecord(UUID proof, String consumer, Set<InboxId> ids, InboxKeys keys, Tables tables)
    implements InboxProof {

  // By the primary key: a roll-back must not read all that the consumer remembers.
  static final String FORGET =
      """
      DELETE FROM {schema}.outledger_inbox
       WHERE consumer_no = ? AND message_hash = ? AND proof = ?\
      """;

  private Mark savepoint() {
    return new Mark("outledger_" + proof.toString().replace("-", ""));
  }

  /** Marks the transaction. */
  void mark(Connection transaction) throws SQLException {
    savepoint().set(transaction);
  }

  /** Takes the mark away; it is the last thing that is asked before the commit. */
  private void requireMarked(Connection connection) throws SQLException {
    if (!savepoint().release(connection)) {
      throw ended();
    }
  }

  /** Leaves the commit itself to the caller's. */
  @Override
  public void commit(Connection connection) throws SQLException {
    requireMarked(connection);
  }

  @Override
  public void requireSameTransaction(Connection connection, InboxProof earlier)
      throws SQLException {
    requireMarked(connection);
    InboxRecord first = (InboxRecord) earlier;
    first.requireMarked(connection);
    first.mark(connection);
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
            + " CREATE TABLE, nor go on after a deadlock (error 1213), which has rolled back all"
            + " before it. Changes made afterwards are rolled back, and no message counts as"
            + " processed",
        null);
  }

  @Override
  public void forgetIfCommitted(Connection connection) throws SQLException {
    int forgotten = 0;
    for (InboxKey key : keys.all()) {
      forgotten += Sql.in(tables, connection, FORGET, key.consumerNo(), key.hash(), proof).update();
    }
    if (forgotten > 0) {
      connection.commit();
    }
  }
}
