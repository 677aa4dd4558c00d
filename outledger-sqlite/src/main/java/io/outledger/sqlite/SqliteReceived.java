// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import io.outledger.jdbc.spi.Admission;
import io.outledger.jdbc.spi.InboxKeys;
import io.outledger.jdbc.spi.ReceivedTable.Look;
import io.outledger.jdbc.sql.ReceivedBySql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** What consumers have received and parked, on SQLite. */
final class SqliteReceived extends ReceivedBySql {

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

  // The primary key. It changes nothing, but takes the lock for writers before it reads.
  private static final String LOCK =
      """
      UPDATE {schema}.outledger_inbox_parked SET attempts = attempts
       WHERE consumer = ? AND number = ? AND attempts = ? AND state <> 'dead'
         AND next_attempt_at <= {now}
      RETURNING source, message_id, origin, topic, message_key, type, version, payload, headers,
                time, key_space\
      """;

  private final SqliteInbox inbox;

  SqliteReceived(Tables tables, SqliteInbox inbox) {
    super(tables, texts(LedgerTexts.LEDGER, "", PARK).withLock(LOCK), inbox, inbox::keys);
    this.inbox = inbox;
  }

  @Override
  protected InboxKeys keys(Connection transaction, String consumer, List<InboxId> ids)
      throws SQLException {
    inbox.lock(transaction); // what is about to be parked
    return super.keys(transaction, consumer, ids);
  }

  @Override
  public Admission admit(Connection transaction, String consumer, List<Received> batch, Look look)
      throws SQLException {
    inbox.lock(transaction);
    // Whoever has waited for the lock and does not see what was committed meanwhile cannot write.
    Look seen = look == Look.LOCKED_IN_ANY ? Look.LOCKED : look;
    return super.admit(transaction, consumer, batch, seen);
  }

  @Override
  public void allowRetries(Connection transaction, String consumer, int limit) throws SQLException {
    inbox.lock(transaction);
    super.allowRetries(transaction, consumer, limit);
  }
}
