// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import io.outledger.inbox.InboxId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Set;

/**
 * What consumers remember: who they are, and where an operator makes them forget it. The same on
 * every database. Thread-safe.
 */
public final class InboxMemory {

  /** What stands for the subscription where messages are not of this ledger. */
  private static final String OF_BROKERS = "";

  // The primary key.
  private static final String FORGET =
      "DELETE FROM {schema}.outledger_inbox WHERE consumer_no = ? AND message_hash = ?";

  // A small table.
  private static final String CONSUMERS =
      """
      SELECT DISTINCT c.consumer FROM {schema}.outledger_inbox_consumer c
       WHERE c.subscription = ?\
      """;

  private final SqlNaming naming;

  /**
   * Creates it, without I/O.
   *
   * @param naming the words of its schema
   * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null
   */
  public InboxMemory(SqlNaming naming) {
    this.naming = Require.nonNull("naming", naming);
  }

  /** Returns the names of the consumers of brokers that have remembered a message. */
  public Set<String> consumers(Connection connection) throws SQLException {
    Require.nonNull("connection", connection);
    return Set.copyOf(
        ReceivedTableBySql.rows(
            connection, naming.in(CONSUMERS), row -> row.getString(1), OF_BROKERS));
  }

  /** Makes a consumer forget messages in the caller's transaction, and returns how many it knew. */
  public int forget(Connection transaction, String consumer, Collection<InboxId> messages)
      throws SQLException {
    Require.nonNull("transaction", transaction);
    InboxKeys keys = new InboxConsumers(naming).keys(transaction, consumer, messages);
    int forgotten = 0;
    try (PreparedStatement statement = transaction.prepareStatement(naming.in(FORGET))) {
      for (InboxKey key : keys.all()) {
        statement.setInt(1, key.consumerNo());
        naming.values().bind(statement, 2, key.hash());
        forgotten += statement.executeUpdate();
      }
    }
    return forgotten;
  }
}
