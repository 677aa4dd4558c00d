// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.jdbc.spi.CursorKey;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * What becomes of parked messages when their subscription is moved, in the same transaction.
 * Thread-safe.
 */
public final class ParkedAfterMoveBySql {

  private static final String IS_THERE =
      """
       EXISTS (SELECT 1 FROM {schema}.outledger_message m
                WHERE m.position = outledger_parked.position AND m.id = outledger_parked.id)\
      """;

  // The primary key, above where the cursor now stands; one probe of the ledger for each row.
  private static final String SUPERSEDE =
      """
      DELETE FROM {schema}.outledger_parked
       WHERE subscription = ? AND partition_no = ? AND position > ? AND%s\
      """
          .formatted(IS_THERE);

  // The primary key, all of the subscription; one or two probes of the ledger for each row.
  private static final String OF_EARLIER_ONES =
      """
       WHERE subscription = ? AND partition_no = ?
         AND CASE WHEN emptied > 0 THEN ? = 1
                  ELSE NOT%s
                       AND (? = 1
                            OR EXISTS (SELECT 1 FROM {schema}.outledger_message m
                                        WHERE m.position = outledger_parked.position)) END\
      """
          .formatted(IS_THERE);
  private static final String COUNT_THEM =
      "SELECT COUNT(*) FROM {schema}.outledger_parked" + OF_EARLIER_ONES;
  private static final String EMPTIED =
      "UPDATE {schema}.outledger_parked SET emptied = emptied + 1" + OF_EARLIER_ONES;

  private final LedgerTables tables;
  private final CursorKey key;

  /** Creates it, without I/O. */
  public ParkedAfterMoveBySql(LedgerTables tables, CursorKey key) {
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
  public void supersede(Connection connection, long high, boolean isAnother) throws SQLException {
    String subscription = key.subscription();
    Sql.in(tables, connection, SUPERSEDE, subscription, key.partition(), high).update();
    int another = isAnother ? 1 : 0;
    Object[] values = {subscription, key.partition(), another, another};
    // Some databases wait for rows that others have locked, also for those that stay as they are.
    if (Sql.in(tables, connection, COUNT_THEM, values).number() > 0) {
      Sql.in(tables, connection, EMPTIED, values).update();
    }
  }
}
