// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

/**
 * The texts with which an operator looks at what consumers have parked, and notes requests for it.
 * {@link H2Received} has those with which the consumers themselves work.
 */
final class ReceivedRequests {

  // Filters on the rows of one consumer: null lets all pass.
  private static final String FITTING =
      """
      p.number > ? AND p.number <= ?
           AND p.state = COALESCE(CAST(? AS VARCHAR), p.state)
           AND p.type = COALESCE(CAST(? AS VARCHAR), p.type)
           AND p.topic = COALESCE(CAST(? AS VARCHAR), p.topic)
           AND p."KEY" IS NOT DISTINCT FROM COALESCE(CAST(? AS VARCHAR), p."KEY")
           AND POSITION(COALESCE(CAST(? AS VARCHAR), ''), COALESCE(p.error, '')) > 0\
      """;

  static final String LIST =
      """
      SELECT %s, p.number, p.state, p.attempts, p.error, p.requested, p.parked_at
        FROM {schema}.outledger_inbox_parked p
       WHERE p.consumer = ? AND %s ORDER BY p.number FETCH FIRST ? ROWS ONLY\
      """
          .formatted(H2Received.MESSAGE, FITTING);

  static final String TO_REQUEST =
      """
      SELECT p.number FROM {schema}.outledger_inbox_parked p
       WHERE p.consumer = ? AND p.state <> 'held' AND %s
       ORDER BY p.number FETCH FIRST ? ROWS ONLY FOR UPDATE\
      """
          .formatted(FITTING);

  static final String REQUEST =
      """
      UPDATE {schema}.outledger_inbox_parked
         SET requested = ?, changed_at = CURRENT_TIMESTAMP WHERE consumer = ? AND number = ?\
      """;

  // Each consumer is looked up in the primary keys.
  static final String CONSUMERS =
      """
      SELECT DISTINCT consumer FROM {schema}.outledger_inbox
      UNION
      SELECT DISTINCT consumer FROM {schema}.outledger_inbox_parked\
      """;

  private ReceivedRequests() {}
}
