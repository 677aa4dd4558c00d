// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import io.outledger.inbox.InboxOutcome;
import io.outledger.inbox.Received;
import io.outledger.jdbc.JdbcInbox;
import io.outledger.jdbc.Outledger;
import java.sql.SQLException;

/** A message of a broker that takes no part in the transaction. */
final class LocalTransaction {

  private LocalTransaction() {}

  static InboxOutcome receive(
      Outledger outledger, JdbcInbox inbox, Received received, Stock stock, OrderPlaced order)
      throws SQLException {
    return outledger
        .transactions()
        .call(
            connection ->
                inbox.process(connection, received, () -> stock.reserve(connection, order)));
  }
}
