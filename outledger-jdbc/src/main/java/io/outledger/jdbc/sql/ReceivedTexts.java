// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.jdbc.spi.ReceivedSql;

/**
 * The texts for what consumers have received and parked: those that do not differ, and those that a
 * database gives.
 */
public final class ReceivedTexts {

  private static final String LIGHT =
      "p.number, p.source, p.message_id, p.message_key, p.key_space, p.topic, p.type, p.attempts";
  private static final String MESSAGE =
      "p.source, p.message_id, p.origin, p.topic, p.message_key, p.type, p.version, p.payload,"
          + " p.headers, p.time, p.key_space";

  // The primary key.
  private static final String COUNT =
      """
      SELECT COUNT(*) FROM (
        SELECT p.number FROM {schema}.outledger_inbox_parked p
         WHERE p.consumer = ? LIMIT ?) parked\
      """;

  // One probe of the index of keys.
  private static final String FIRST =
      """
      NOT EXISTS (SELECT 1 FROM {schema}.outledger_inbox_parked e
                   WHERE e.consumer = p.consumer AND e.message_key = p.message_key
                     AND e.key_space = p.key_space AND e.number < p.number AND e.blocks%s)\
      """;

  // The index of what is due.
  private static final String DUE =
      """
      SELECT %s FROM {schema}.outledger_inbox_parked p
       WHERE p.consumer = ? AND p.state <> 'dead' AND p.next_attempt_at <= %s
         AND %s
       ORDER BY p.next_attempt_at, p.number LIMIT ?\
      """;

  // The index of keys.
  private static final String NEXT =
      """
      SELECT %s FROM {schema}.outledger_inbox_parked p%s
         AND p.consumer = ? AND p.key_space = ? AND p.number > ?
         AND p.state <> 'dead' AND p.blocks
       ORDER BY p.number LIMIT 1\
      """;

  // The primary key. Where somebody else has tried it since it was listed, its attempts differ.
  private static final String LOCK =
      """
      SELECT %s FROM {schema}.outledger_inbox_parked p
       WHERE p.consumer = ? AND p.number = ? AND p.attempts = ? AND p.state <> 'dead'
         AND p.next_attempt_at <= %s%s\
      """;

  private static final String IS_FIRST =
      """
      SELECT COUNT(*) FROM {schema}.outledger_inbox_parked p
       WHERE p.consumer = ? AND p.number = ? AND p.state <> 'dead' AND %s\
      """;

  // The primary key.
  private static final String REMOVE =
      "DELETE FROM {schema}.outledger_inbox_parked WHERE consumer = ? AND number = ?";

  // The primary key. The attempt answers a request to retry. Without a reason the last one stays.
  private static final String FAIL =
      """
      UPDATE {schema}.outledger_inbox_parked
         SET state = ?, blocks = ? AND message_key IS NOT NULL, attempts = ?,
             error = COALESCE(?, error), requested = NULLIF(requested, 'retry'),
             next_attempt_at = %s, changed_at = %s
       WHERE consumer = ? AND number = ? AND attempts = ? AND state <> 'dead'\
      """;

  // The index of requests.
  private static final String REQUESTED =
      """
      SELECT %s FROM {schema}.outledger_inbox_parked p
       WHERE p.consumer = ? AND p.requested = ? AND p.state <> 'held'
       ORDER BY p.number LIMIT ?%s\
      """;

  private ReceivedTexts() {}

  /**
   * A database's own texts and parts of them.
   *
   * @param skipLocked a part: follows a query whose rows are to be locked, but for those that
   *     others have locked
   * @param park a statement: see {@link ReceivedSql}
   * @param ofKey a part: what follows the rows {@code p}, up to a condition that they are of a key;
   *     one parameter, the key
   * @param likeFirst a part: a further condition by which an index finds the rows {@code e} with
   *     the key of {@code p}; empty where none is needed
   * @param consumers a statement: see {@link ReceivedSql}
   */
  public record Own(
      String skipLocked, String park, String ofKey, String likeFirst, String consumers) {}

  /** Puts them together. */
  public static ReceivedSql of(LedgerSql ledger, Own own) {
    String first = FIRST.formatted(own.likeFirst());
    return new ReceivedSql(
        COUNT,
        own.park(),
        DUE.formatted(LIGHT, ledger.now(), first),
        NEXT.formatted(LIGHT, own.ofKey()),
        LOCK.formatted(MESSAGE, ledger.now(), own.skipLocked()),
        IS_FIRST.formatted(first),
        REMOVE,
        FAIL.formatted(ledger.later(), ledger.now()),
        REQUESTED.formatted(LIGHT, own.skipLocked()),
        own.consumers());
  }
}
