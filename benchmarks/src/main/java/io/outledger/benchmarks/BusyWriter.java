// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** An application that appends one message a transaction, as fast as it can. */
final class BusyWriter {

  private final WaitingLedger ledger;

  BusyWriter(WaitingLedger ledger) {
    this.ledger = ledger;
  }

  /**
   * What was written.
   *
   * @param messages how many
   * @param perSecond how many a second
   */
  record Written(long messages, double perSecond) {}

  Written write(Outledger outledger, Duration time) throws SQLException {
    long start = System.nanoTime();
    long count = 0;
    try (Connection connection = ledger.connect()) {
      connection.setAutoCommit(false);
      while (System.nanoTime() - start < time.toNanos()) {
        outledger
            .outbox()
            .append(
                connection,
                Message.to("orders", "order.placed")
                    .key(WaitingLedger.key(count))
                    .payload(new byte[WaitingLedger.PAYLOAD_BYTES])
                    .build());
        connection.commit();
        count++;
      }
    }
    return new Written(count, count * 1e9 / (System.nanoTime() - start));
  }
}
