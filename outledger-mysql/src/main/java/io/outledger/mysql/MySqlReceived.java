// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.MessageIds;
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
import io.outledger.jdbc.sql.Sql;
import io.outledger.receive.ParkedReceived;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** What consumers have received and parked. */
final class MySqlReceived extends ReceivedTableBySql {

  // Probes the inbox's primary key: another instance may have processed it meanwhile.
  private static final String PARK =
      """
      INSERT INTO {schema}.outledger_inbox_parked
             (proof, consumer, source, message_id, message_hash, state, blocks, attempts,
              next_attempt_at, error, origin, topic, key_space, message_key, type, version, payload,
              headers, time, parked_at, changed_at)
      SELECT ?, m.consumer, m.source, m.message_id,
             UNHEX(SHA2(CONCAT(CAST(m.source AS BINARY), CHAR(0), CAST(m.message_id AS BINARY)),
                        256)),
             m.state, m.blocks, m.attempts, m.next_attempt_at, m.error, m.origin, m.topic,
             m.key_space, m.message_key, m.type, m.version, m.payload, m.headers, m.time, {now},
             {now}
        FROM (SELECT ? AS consumer, ? AS source, ? AS message_id, ? AS state, ? AS blocks,
                     ? AS attempts, TIMESTAMPADD(MICROSECOND, ? * 1000, {now}) AS next_attempt_at,
                     ? AS error, ? AS origin, ? AS topic, ? AS key_space, ? AS message_key,
                     ? AS type, ? AS version, ? AS payload, ? AS headers, ? AS time) m
       WHERE NOT EXISTS (SELECT 1 FROM {schema}.outledger_inbox i
                          WHERE i.consumer_no = ? AND i.message_hash = ?)
          ON DUPLICATE KEY UPDATE consumer = outledger_inbox_parked.consumer\
      """;

  // The index of ids; its own rows are seen at every isolation level. What a driver counts where a
  // row was there depends on a parameter of its URL.
  private static final String PARKED =
      """
      SELECT p.source, p.message_id FROM {schema}.outledger_inbox_parked p
       WHERE p.consumer = ? AND p.message_id IN (%s) AND p.proof = ?\
      """;

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

  private static final ReceivedSql SQL =
      ReceivedTexts.of(
          LedgerTexts.LEDGER,
          new ReceivedTexts.Own(
              MySqlDatabase.SKIP_LOCKED, PARK, " WHERE p.message_key = ?", "", CONSUMERS));

  private final Tables tables;
  private final MySqlInbox inbox;
  private final AdmissionBySql admission;
  private final String allow;

  MySqlReceived(Tables tables, MySqlInbox inbox) {
    super(SQL, tables);
    this.tables = tables;
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
  protected Inserted inserted(String consumer) {
    return new Marked(tables, consumer, MessageIds.system().next());
  }

  /** By what stands in the rows that one call has inserted, and in no others. */
  private record Marked(Tables tables, String consumer, UUID mark) implements Inserted {

    @Override
    public List<Object> proof() {
      return List.of(mark);
    }

    @Override
    public List<InboxId> of(Connection transaction, List<InboxId> ids, int[] counts)
        throws SQLException {
      List<Object> values = new ArrayList<>(List.of(consumer));
      ids.forEach(each -> values.add(each.id()));
      values.add(mark);
      String in = String.join(", ", Collections.nCopies(ids.size(), "?"));
      Set<InboxId> inserted =
          Set.copyOf(
              Sql.in(tables, transaction, PARKED.formatted(in), values.toArray())
                  .rows(row -> new InboxId(row.getString(1), row.getString(2))));
      return ids.stream().filter(inserted::contains).toList();
    }
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
