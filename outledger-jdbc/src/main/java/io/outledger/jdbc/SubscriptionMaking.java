// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.store.Start;
import java.sql.SQLException;
import java.util.Optional;

/** Makes a subscription that is not there yet, at its configured start. */
final class SubscriptionMaking {

  private final Start start;
  private final LedgerScan scan;
  private final CursorPlacing placing;

  SubscriptionMaking(Tables tables, CursorKey key, Start start) {
    this.start = start;
    this.scan = new LedgerScan(tables);
    this.placing = new CursorPlacing(tables, key);
  }

  /** Makes it; where two do at the same time, the second finds it made. */
  void make(Session session) throws SQLException {
    boolean isMade;
    do {
      Optional<LedgerScan.Edge> found =
          session.inTransaction(
              OwnTransaction.Kind.WALKS, connection -> scan.edge(connection, start));
      isMade =
          session.inTransaction(
              OwnTransaction.Kind.OF_SESSION, connection -> placing.make(connection, start, found));
    } while (!isMade);
  }
}
