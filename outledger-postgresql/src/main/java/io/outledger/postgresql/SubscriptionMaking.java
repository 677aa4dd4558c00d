// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.Printable;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.store.Start;
import java.sql.SQLException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes a subscription that is not there yet, at its configured start. */
final class SubscriptionMaking {

  private static final Logger LOG = LoggerFactory.getLogger(SubscriptionMaking.class);

  private final CursorKey key;
  private final Start start;
  private final LedgerScan scan;
  private final CursorPlacing placing;

  SubscriptionMaking(Tables tables, CursorKey key, Start start) {
    this.key = key;
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
    LOG.info(
        "subscription {} did not exist; it was created and starts at {}",
        Printable.value(key),
        start);
  }
}
