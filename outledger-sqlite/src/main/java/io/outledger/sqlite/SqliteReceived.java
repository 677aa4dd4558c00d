// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

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

/** What consumers have received and parked, on SQLite. */
final class SqliteReceived extends ReceivedTableBySql {

  // Probes the inbox's primary key: another instance may have processed it meanwhile.
  private static final String PARK =
      """
      INSERT INTO {schema}.outledger_inbox_parked
             (consumer, source, message_id, state, blocks, attempts, next_attempt_at, error,
              origin, topic, key_space, message_key, type, version, payload, headers, time)
      SELECT ?, ?, ?, ?, ?, ?, %s, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
       WHERE NOT EXISTS (SELECT 1 FROM {schema}.outledger_inbox i
                          WHERE i.consumer_no = ? AND i.message_hash = ?)
          ON CONFLICT (consumer, source, message_id) DO NOTHING\
      """
          .formatted(LedgerTexts.LATER);

  private static final String ALLOW =
      """
      UPDATE {schema}.outledger_inbox_parked
         SET state = 'retrying', blocks = message_key IS NOT NULL, requested = NULL,
             next_attempt_at = {now}, changed_at = {now}
       WHERE consumer = ? AND number = ?\
      """;

  // A small table, and each consumer in a primary key.
  private static final String CONSUMERS =
      """
      SELECT consumer FROM {schema}.outledger_inbox_consumer
      UNION
      SELECT DISTINCT consumer FROM {schema}.outledger_inbox_parked\
      """;

  // The primary key. It changes nothing, but takes the lock for writers before it reads.
  private static final String LOCK =
      """
      UPDATE {schema}.outledger_inbox_parked SET attempts = attempts
       WHERE consumer = ? AND number = ? AND attempts = ? AND state <> 'dead'
         AND next_attempt_at <= {now}
      RETURNING source, message_id, origin, topic, message_key, type, version, payload, headers,
                time, key_space\
      """;

  private static final ReceivedSql SQL =
      locking(
          ReceivedTexts.of(
              LedgerTexts.LEDGER,
              new ReceivedTexts.Own("", PARK, " WHERE p.message_key = ?", "", CONSUMERS)));

  private static ReceivedSql locking(ReceivedSql sql) {
    return new ReceivedSql(
        sql.count(),
        sql.park(),
        sql.due(),
        sql.next(),
        LOCK,
        sql.isFirst(),
        sql.remove(),
        sql.fail(),
        sql.requested(),
        sql.consumers());
  }

  private final SqliteInbox inbox;
  private final AdmissionBySql admission;
  private final String allow;

  SqliteReceived(Tables tables, SqliteInbox inbox) {
    super(SQL, tables);
    this.inbox = inbox;
    this.admission = new AdmissionBySql(tables, inbox, inbox::keys);
    this.allow = tables.in(ALLOW);
  }

  @Override
  protected InboxKeys keys(Connection transaction, String consumer, List<InboxId> ids)
      throws SQLException {
    inbox.lock(transaction); // what is about to be parked
    return inbox.keys(transaction, consumer, ids);
  }

  @Override
  public Admission admit(Connection transaction, String consumer, List<Received> batch, Look look)
      throws SQLException {
    inbox.lock(transaction);
    // Whoever has waited for the lock and does not see what was committed meanwhile cannot write.
    Look seen = look == Look.LOCKED_IN_ANY ? Look.LOCKED : look;
    return admission.admit(transaction, consumer, batch, seen);
  }

  @Override
  public Set<InboxId> known(Connection transaction, String consumer, Set<InboxId> ids)
      throws SQLException {
    return admission.known(transaction, consumer, ids);
  }

  @Override
  public void allowRetries(Connection transaction, String consumer, int limit) throws SQLException {
    inbox.lock(transaction);
    for (ParkedReceived each : requested(transaction, consumer, ParkedRequest.RETRY, limit)) {
      update(transaction, allow, consumer, each.number());
    }
  }
}
