// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import java.sql.SQLException;

/** Transactions that insert an order and append its message to a ledger that has grown old. */
final class AgedSave {

  private static final String TABLE =
      "CREATE TABLE IF NOT EXISTS placed_order (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY"
          + " KEY)";

  private static final String INSERT = "INSERT INTO placed_order DEFAULT VALUES";

  private final Outledger outledger;
  private final Message message =
      Message.to("orders", "order.placed")
          .key(WaitingLedger.key(1))
          .payload(new byte[WaitingLedger.PAYLOAD_BYTES])
          .build();

  private AgedSave(Outledger outledger) {
    this.outledger = outledger;
  }

  /** Times them for so long. */
  static SaveTime measure(WaitingLedger ledger, long millis) throws SQLException {
    try (SmallPool pool = new SmallPool(ledger.jdbcUrl());
        Outledger outledger = Outledger.builder(pool).build()) {
      outledger.transactions().run(connection -> Sql.run(connection, TABLE));
      return SaveTime.measure(millis, () -> {}, new AgedSave(outledger)::save);
    }
  }

  private void save() throws SQLException {
    outledger
        .transactions()
        .run(
            connection -> {
              Sql.run(connection, INSERT);
              outledger.outbox().append(connection, message);
            });
  }
}
