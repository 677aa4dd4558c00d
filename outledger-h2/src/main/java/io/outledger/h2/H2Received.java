// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.jdbc.sql.ReceivedBySql;

/** What consumers have received and parked, on H2: within one process, so statements are cheap. */
final class H2Received extends ReceivedBySql {

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

  H2Received(Tables tables, H2Inbox inbox) {
    super(tables, texts(LedgerTexts.LEDGER, H2Database.SKIP_LOCKED, PARK), inbox, inbox::keys);
  }
}
