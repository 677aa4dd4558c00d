// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.MessageIds;
import io.outledger.inbox.InboxId;
import io.outledger.jdbc.sql.ReceivedBySql;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** What consumers have received and parked. */
final class MySqlReceived extends ReceivedBySql {

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

  private final Tables tables;

  MySqlReceived(Tables tables, MySqlInbox inbox) {
    super(tables, texts(LedgerTexts.LEDGER, MySqlDatabase.SKIP_LOCKED, PARK), inbox, inbox::keys);
    this.tables = tables;
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
}
