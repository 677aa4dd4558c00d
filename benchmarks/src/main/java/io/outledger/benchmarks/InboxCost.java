// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.Message;
import io.outledger.inbox.Received;
import io.outledger.jdbc.JdbcInbox;
import io.outledger.jdbc.Outledger;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Weighs what an inbox remembers of a message. */
final class InboxCost {

  private static final int BATCH = 500;

  private final WaitingLedger ledger;

  InboxCost(WaitingLedger ledger) {
    this.ledger = ledger;
  }

  /** Returns the bytes per record, index included, after this number was inserted in batches. */
  double bytesPerRecord(int records) throws SQLException {
    try (SmallPool pool = new SmallPool(ledger.jdbcUrl());
        Outledger outledger = Outledger.builder(pool).build()) {
      JdbcInbox inbox = outledger.inbox("inventory");
      for (int done = 0; done < records; done += BATCH) {
        List<Received> batch = batch(Math.min(BATCH, records - done));
        outledger
            .transactions()
            .run(connection -> inbox.processAll(connection, batch, fresh -> {}));
      }
    }
    return (double) ledger.bytes("outledger_inbox") / records;
  }

  private static List<Received> batch(int count) {
    List<Received> batch = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      batch.add(Received.of("/orders", Message.to("orders", "order.placed").build()));
    }
    return batch;
  }
}
