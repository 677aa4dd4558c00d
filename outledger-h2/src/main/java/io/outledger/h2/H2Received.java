// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import io.outledger.jdbc.admin.ParkedRequest;
import io.outledger.jdbc.spi.Admission;
import io.outledger.jdbc.spi.InboxKeys;
import io.outledger.jdbc.spi.ReceivedSql;
import io.outledger.jdbc.spi.ReceivedTable.Look;
import io.outledger.jdbc.spi.ReceivedTableBySql;
import io.outledger.jdbc.sql.AdmissionBySql;
import io.outledger.jdbc.sql.ReceivedTexts;
import io.outledger.receive.ParkedReceived;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** What consumers have received and parked, on H2: within one process, so statements are cheap. */
final class H2Received extends ReceivedTableBySql {

  // Probes the inbox's primary key: another instance may have processed it meanwhile.
  private static final String PARK =
      """
      INSERT INTO {schema}.outledger_inbox_parked
             (consumer, source, message_id, state, blocks, attempts, next_attempt_at, error,
              origin, topic, key_space, message_key, type, version, payload, headers, time)
      SELECT m.* FROM (
        SELECT CAST(? AS VARCHAR) AS consumer, CAST(? AS VARCHAR) AS source,
               CAST(? AS VARCHAR) AS message_id, CAST(? AS VARCHAR) AS state,
               CAST(? AS BOOLEAN) AS blocks, CAST(? AS INTEGER) AS attempts,
               DATEADD(MILLISECOND, CAST(? AS BIGINT), CURRENT_TIMESTAMP) AS next_attempt_at,
               CAST(? AS VARCHAR) AS error, CAST(? AS VARCHAR) AS origin,
               CAST(? AS VARCHAR) AS topic, CAST(? AS VARCHAR) AS key_space,
               CAST(? AS VARCHAR) AS message_key, CAST(? AS VARCHAR) AS type,
               CAST(? AS INTEGER) AS version, CAST(? AS BINARY LARGE OBJECT) AS payload,
               CAST(? AS VARCHAR) AS headers,
               CAST(? AS TIMESTAMP(6) WITH TIME ZONE) AS time) m
       WHERE NOT EXISTS (SELECT 1 FROM {schema}.outledger_inbox i
                          WHERE i.consumer_no = ? AND i.message_hash = ?)
         AND NOT EXISTS (SELECT 1 FROM {schema}.outledger_inbox_parked p
                          WHERE p.consumer = m.consumer AND p.source = m.source
                            AND p.message_id = m.message_id)\
      """;

  private static final String ALLOW =
      """
      UPDATE {schema}.outledger_inbox_parked
         SET state = 'retrying', blocks = message_key IS NOT NULL, requested = NULL,
             next_attempt_at = CURRENT_TIMESTAMP, changed_at = CURRENT_TIMESTAMP
       WHERE consumer = ? AND number = ?\
      """;

  // A small table, and each consumer in a primary key.
  private static final String CONSUMERS =
      """
      SELECT consumer FROM {schema}.outledger_inbox_consumer
      UNION
      SELECT DISTINCT consumer FROM {schema}.outledger_inbox_parked\
      """;

  private static final ReceivedSql SQL =
      ReceivedTexts.of(
          LedgerTexts.LEDGER,
          new ReceivedTexts.Own(
              H2Database.SKIP_LOCKED, PARK, " WHERE p.message_key = ?", "", CONSUMERS));

  private final H2Inbox inbox;
  private final AdmissionBySql admission;
  private final String allow;

  H2Received(Tables tables, H2Inbox inbox) {
    super(SQL, tables);
    this.inbox = inbox;
    this.admission = new AdmissionBySql(tables, inbox, inbox::keys);
    this.allow = tables.in(ALLOW);
  }

  @Override
  protected InboxKeys keys(Connection transaction, String consumer, List<InboxId> ids)
      throws SQLException {
    return inbox.keys(transaction, consumer, ids);
  }

  @Override
  public Admission admit(Connection transaction, String consumer, List<Received> batch, Look look)
      throws SQLException {
    return admission.admit(transaction, consumer, batch, look);
  }

  @Override
  public Set<InboxId> known(Connection transaction, String consumer, Set<InboxId> ids)
      throws SQLException {
    return admission.known(transaction, consumer, ids);
  }

  @Override
  public void allowRetries(Connection transaction, String consumer, int limit) throws SQLException {
    for (ParkedReceived each : requested(transaction, consumer, ParkedRequest.RETRY, limit)) {
      update(transaction, allow, consumer, each.number());
    }
  }
}
