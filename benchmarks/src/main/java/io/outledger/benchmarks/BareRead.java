// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.store.LedgerMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** What the relay is held against: all pages, one after the other. */
final class BareRead {

  private final WaitingLedger ledger;

  BareRead(WaitingLedger ledger) {
    this.ledger = ledger;
  }

  /** Reads everything, and returns how many messages a second that were. */
  double run() throws SQLException {
    long start = System.nanoTime();
    long count = 0;
    try (Connection connection = ledger.connect();
        BarePages pages = new BarePages(connection)) {
      List<LedgerMessage> page = pages.page(0);
      while (!page.isEmpty()) {
        count += page.size();
        page = pages.page(page.get(page.size() - 1).position());
      }
    }
    return count * 1e9 / (System.nanoTime() - start);
  }
}
