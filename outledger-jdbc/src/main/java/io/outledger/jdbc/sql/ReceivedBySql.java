// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import io.outledger.jdbc.admin.ParkedRequest;
import io.outledger.jdbc.spi.Admission;
import io.outledger.jdbc.spi.InboxKeys;
import io.outledger.jdbc.spi.InboxTable;
import io.outledger.jdbc.spi.ReceivedSql;
import io.outledger.jdbc.spi.ReceivedTableBySql;
import io.outledger.receive.ParkedReceived;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * What consumers have received and parked, on a database that looks at one message after the other.
 * Thread-safe.
 */
public abstract class ReceivedBySql extends ReceivedTableBySql {

  private static final String OF_KEY = " WHERE p.message_key = ?";

  // A small table, and each consumer in a primary key.
  private static final String CONSUMERS =
      """
      SELECT consumer FROM {schema}.outledger_inbox_consumer
      UNION
      SELECT DISTINCT consumer FROM {schema}.outledger_inbox_parked\
      """;

  // The primary key.
  private static final String ALLOW =
      """
      UPDATE {schema}.outledger_inbox_parked
         SET state = 'retrying', blocks = message_key IS NOT NULL, requested = NULL,
             next_attempt_at = {now}, changed_at = {now}
       WHERE consumer = ? AND number = ?\
      """;

  private final LedgerTables tables;
  private final AdmissionBySql.Keys keys;
  private final AdmissionBySql admission;

  /**
   * For the database's own. Creates it, without I/O.
   *
   * @param sql the database's texts: see {@link #texts}
   * @param inbox where records are inserted
   * @param keys how they are found there
   */
  protected ReceivedBySql(
      LedgerTables tables, ReceivedSql sql, InboxTable inbox, AdmissionBySql.Keys keys) {
    super(sql, tables);
    this.tables = tables;
    this.keys = keys;
    this.admission = new AdmissionBySql(tables, inbox, keys);
  }

  /**
   * Puts a database's texts together.
   *
   * @param skipLocked see {@link ReceivedTexts.Own}
   * @param park see {@link ReceivedSql}
   */
  protected static ReceivedSql texts(LedgerSql ledger, String skipLocked, String park) {
    return ReceivedTexts.of(ledger, new ReceivedTexts.Own(skipLocked, park, OF_KEY, "", CONSUMERS));
  }

  @Override
  protected InboxKeys keys(Connection transaction, String consumer, List<InboxId> ids)
      throws SQLException {
    return keys.of(transaction, consumer, ids);
  }

  @Override
  public Admission admit(Connection transaction, String consumer, List<Received> batch, Look look)
      throws SQLException {
    return admission.admit(transaction, consumer, batch, look);
  }

  @Override
  public final Set<InboxId> known(Connection transaction, String consumer, Set<InboxId> ids)
      throws SQLException {
    return admission.known(transaction, consumer, ids);
  }

  @Override
  public void allowRetries(Connection transaction, String consumer, int limit) throws SQLException {
    for (ParkedReceived each : requested(transaction, consumer, ParkedRequest.RETRY, limit)) {
      Sql.in(tables, transaction, ALLOW, consumer, each.number()).update();
    }
  }
}
