// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.jdbc.spi.CursorKey;
import java.sql.Connection;
import java.sql.SQLException;

/** What becomes of parked messages when their subscription is moved, in the same transaction. */
final class ParkedReplay {

  private static final String IS_THERE =
      """
       EXISTS (SELECT 1 FROM {schema}.outledger_message m
                WHERE m.position = p.position AND m.id = p.id)\
      """;

  // The primary key, above where the cursor now stands; one probe of the ledger for each row.
  private static final String SUPERSEDE =
      """
      DELETE FROM {schema}.outledger_parked p
       WHERE p.subscription = ? AND p.partition = ? AND p.position > ? AND%s\
      """
          .formatted(IS_THERE);

  // The primary key, all of the subscription; one or two probes of the ledger for each row.
  private static final String EMPTIED =
      """
      UPDATE {schema}.outledger_parked p SET p.emptied = p.emptied + 1
       WHERE p.subscription = ? AND p.partition = ?
         AND CASE WHEN p.emptied > 0 THEN CAST(? AS BOOLEAN)
                  ELSE NOT%s
                       AND (CAST(? AS BOOLEAN)
                            OR EXISTS (SELECT 1 FROM {schema}.outledger_message m
                                        WHERE m.position = p.position)) END\
      """
          .formatted(IS_THERE);

  private final Tables tables;
  private final CursorKey key;

  ParkedReplay(Tables tables, CursorKey key) {
    this.tables = tables;
    this.key = key;
  }

  /**
   * Takes away what is parked of messages that are read again. A row stays if its message is
   * purged, or if the ledger has another one at its position.
   *
   * <p>Counts for what is parked of earlier ledgers that the ledger was emptied: messages of one
   * key keep their order across ledgers by it.
   *
   * @param isAnother whether all that this ledger does not have is of an earlier one
   */
  void supersede(Connection connection, long high, boolean isAnother) throws SQLException {
    String subscription = key.subscription();
    Sql.of(connection, tables.in(SUPERSEDE), subscription, key.partition(), high).update();
    Sql.of(connection, tables.in(EMPTIED), subscription, key.partition(), isAnother, isAnother)
        .update();
  }
}
