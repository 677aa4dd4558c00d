// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

/**
 * The texts with which an operator looks at what consumers have parked, and notes requests for it.
 * {@link PostgresReceived} has those with which the consumers themselves work.
 */
final class ReceivedRequests {

  // Filters on the rows of one consumer, each with one parameter: null lets all pass.
  private static final String FITTING =
      """
      p.number > ? AND p.number <= ?
           AND p.state = coalesce(?::text, p.state)
           AND p.type = coalesce(?::text, p.type) AND p.topic = coalesce(?::text, p.topic)
           AND p.key IS NOT DISTINCT FROM coalesce(?::text, p.key)
           AND strpos(coalesce(p.error, ''), coalesce(?::text, '')) > 0\
      """;

  // The primary key.
  static final String LIST =
      """
      SELECT %s, p.number, p.state, p.attempts, p.error, p.requested, p.parked_at
        FROM {schema}.outledger_inbox_parked p
       WHERE p.consumer = ? AND %s ORDER BY p.number LIMIT ?\
      """
          .formatted(PostgresReceived.MESSAGE, FITTING);

  static final String REQUEST =
      """
      UPDATE {schema}.outledger_inbox_parked u
         SET requested = ?, changed_at = clock_timestamp()
       WHERE u.consumer = ? AND u.number = ANY (ARRAY(
             SELECT p.number FROM {schema}.outledger_inbox_parked p
              WHERE p.consumer = ? AND p.state <> 'held' AND %s
              ORDER BY p.number LIMIT ? FOR UPDATE))
      RETURNING u.number\
      """
          .formatted(FITTING);

  // One step in an index for each consumer.
  static final String CONSUMERS =
      """
      WITH RECURSIVE processed AS (
        SELECT min(i.consumer) AS consumer FROM {schema}.outledger_inbox i
        UNION ALL
        SELECT (SELECT min(i.consumer) FROM {schema}.outledger_inbox i
                 WHERE i.consumer > processed.consumer)
          FROM processed WHERE processed.consumer IS NOT NULL),
      parked AS (
        SELECT min(p.consumer) AS consumer FROM {schema}.outledger_inbox_parked p
        UNION ALL
        SELECT (SELECT min(p.consumer) FROM {schema}.outledger_inbox_parked p
                 WHERE p.consumer > parked.consumer)
          FROM parked WHERE parked.consumer IS NOT NULL)
      SELECT consumer FROM processed WHERE consumer IS NOT NULL
      UNION
      SELECT consumer FROM parked WHERE consumer IS NOT NULL\
      """;

  private ReceivedRequests() {}
}
