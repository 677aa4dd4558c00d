// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.inbox.InboxId;
import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.InboxKey;
import io.outledger.jdbc.spi.InboxKeys;
import io.outledger.jdbc.spi.InboxProof;
import io.outledger.jdbc.sql.OwnTransactions;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.UUID;

/**
 * Proves a transaction by a savepoint in it, which ends with it: SQLite has no ids of transactions.
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

  private String savepoint() {
    return "outledger_" + proof.toString().replace("-", "");
  }

  /** Marks the transaction that has inserted the ids. */
  InboxRecord marked(Connection connection) throws SQLException {
    execute(connection, "SAVEPOINT " + savepoint());
    return this;
  }

  /** Leaves the commit itself to the caller's. */
  @Override
  public void commit(Connection connection) throws SQLException {
    release(connection);
  }

  /** What the earlier one has marked is gone if its transaction has ended since. */
  @Override
  public void requireSameTransaction(Connection connection, InboxProof earlier)
      throws SQLException {
    InboxRecord first = (InboxRecord) earlier;
    first.release(connection);
    first.marked(connection);
  }

  private void release(Connection connection) throws SQLException {
    try {
      execute(connection, "RELEASE " + savepoint());
    } catch (SQLException e) {
      if (SqliteErrors.TABLE.classOf(e) != ErrorClass.REFUSED) {
        throw e;
      }
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
    OwnTransactions.on(
        connection,
        SqliteBounds.WRITING,
        transaction -> {
          int forgotten = 0;
          for (InboxKey key : keys.all()) {
            forgotten +=
                Sql.in(tables, transaction, FORGET, key.consumerNo(), key.hash(), proof).update();
          }
          return forgotten;
        });
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
