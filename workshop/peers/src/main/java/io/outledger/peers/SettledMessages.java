// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import io.outledger.benchmarks.Sql;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** Messages that were published long ago, in the tables of those who keep them. */
final class SettledMessages {

  /** Rows with a key and a payload that nothing can compress, and whose number is 1. */
  private static final String ROWS =
      """
       FROM (SELECT 'order-' || i % 1000 AS key,
                    '00000001' || substring(noise FROM (i::bigint * 7919 % 2000)::int + 1 FOR 192)
                      AS payload
               FROM generate_series(1, :messages) AS i,
                    (SELECT string_agg(md5(random()::text), '') AS noise
                       FROM generate_series(1, 70)) AS letters) AS settled\
      """;

  private static final Map<Product, List<String>> STATEMENTS =
      Map.of(
          Product.OUTLEDGER,
          List.of(
              "INSERT INTO outledger_message (time, id, version, topic, message_key, type, payload)"
                  + " SELECT clock_timestamp(), gen_random_uuid(), 1, 'orders', key,"
                  + " 'order.placed', convert_to(payload, 'UTF8')"
                  + ROWS),
          Product.TUTORIAL,
          List.of(
              "INSERT INTO outbox (key, type, payload, sent_at)"
                  + " SELECT key, 'order.placed', payload, now()"
                  + ROWS),
          Product.DEBEZIUM,
          List.of(
              // Random keys, one by one, would take an index of this size many minutes.
              "ALTER TABLE outbox_event DROP CONSTRAINT outbox_event_pkey",
              "INSERT INTO outbox_event (id, aggregatetype, aggregateid, type, payload)"
                  + " SELECT gen_random_uuid(), 'orders', key, 'order.placed', payload"
                  + ROWS,
              "ALTER TABLE outbox_event ADD PRIMARY KEY (id)",
              // Whoever follows the log from here on has published them.
              "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots"
                  + " WHERE database = current_database()"));

  private SettledMessages() {}

  /** Whether one keeps what it has published; others delete it at their best settings. */
  static boolean areKeptBy(Product product) {
    return STATEMENTS.containsKey(product);
  }

  /** Inserts this number of settled messages into an entrant's database that has its tables. */
  static void lay(Entrant entrant, String jdbcUrl, int messages) throws Exception {
    entrant.factory().open(Site.forWriting(jdbcUrl)).close();
    DataSource dataSource = Site.forWriting(jdbcUrl).dataSource();
    for (String statement : STATEMENTS.getOrDefault(entrant.product(), List.of())) {
      Sql.run(dataSource, statement.replace(":messages", Integer.toString(messages)));
    }
    AgedTurn.tidyUp(dataSource);
  }
}
