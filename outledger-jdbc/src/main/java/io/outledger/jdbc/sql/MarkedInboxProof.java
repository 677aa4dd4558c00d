// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.inbox.InboxId;
import io.outledger.jdbc.spi.InboxKey;
import io.outledger.jdbc.spi.InboxKeys;
import io.outledger.jdbc.spi.InboxProof;
import io.outledger.jdbc.spi.SqlNaming;
import io.outledger.jdbc.spi.TransactionBounds;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Proves a transaction whose {@linkplain TransactionMark mark} was set when it began and is asked
 * for when it commits: it covers all inbox records of the transaction.
 *
 * @param bounds set the mark, and ask for it
 * @param proof what stands in the rows that it inserted, and in no others
 * @param consumer whose ids they are
 * @param ids those that were new
 * @param rows where they are
 */
public record MarkedInboxProof(
    TransactionBounds bounds, UUID proof, String consumer, Set<InboxId> ids, Rows rows)
    implements InboxProof {

  // By the primary key: a roll-back must not read all that the consumer remembers.
  private static final String FORGET =
      """
      DELETE FROM {schema}.outledger_inbox
       WHERE consumer_no = ? AND message_hash = ? AND proof = ?\
      """;

  /**
   * Inbox records in their table.
   *
   * @param keys by which ids are remembered
   * @param tables where
   */
  public record Rows(InboxKeys keys, SqlNaming tables) {}

  @Override
  public void commit(Connection connection, List<InboxProof> others) throws SQLException {
    try {
      bounds.commit(connection);
    } catch (SQLException e) {
      if (TransactionMark.ENDED.equals(e.getSQLState())) {
        throw ended(e);
      }
      throw e;
    }
  }

  private StoreException ended(SQLException cause) {
    return new StoreException(
        ErrorCode.TRANSACTION_NOT_YOURS,
        "the transaction in which consumer "
            + consumer
            + " had recorded "
            + ids.iterator().next()
            + (ids.size() == 1 ? "" : " and " + (ids.size() - 1) + " more")
            + " ended before its work did: "
            + cause.getMessage()
            + ". The work must not execute COMMIT, ROLLBACK, or a statement that commits. Changes"
            + " made afterwards are rolled back, and no message counts as processed",
        cause);
  }

  @Override
  public void forgetIfCommitted(Connection connection) throws SQLException {
    OwnTransactions.on(
        connection,
        bounds,
        transaction -> {
          int forgotten = 0;
          for (InboxKey key : rows.keys().all()) {
            forgotten +=
                Sql.in(rows.tables(), transaction, FORGET, key.consumerNo(), key.hash(), proof)
                    .update();
          }
          return forgotten;
        });
  }
}
