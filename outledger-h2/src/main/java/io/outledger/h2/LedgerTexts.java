// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.jdbc.sql.HandlersMemoryBySql;
import io.outledger.jdbc.sql.HolesBySql;
import io.outledger.jdbc.sql.LedgerSql;
import io.outledger.jdbc.sql.RelayStoriesBySql;
import io.outledger.jdbc.sql.RetentionBySql;
import java.util.List;

/** H2's texts for the ledger, its cursors, and their retention. */
final class LedgerTexts {

  // Of all consumers, whatever their names. A range of the primary key for each.
  private static final String ALL_HANDLED =
      """
       FROM {schema}.outledger_inbox i
       WHERE i.consumer_no IN (
             SELECT c.consumer_no FROM {schema}.outledger_inbox_consumer c
              WHERE c.subscription = ?)\
      """;

  // See InboxKey: the hash begins with the position. One probe of the ledger for each.
  private static final String READ_AGAIN =
      ALL_HANDLED
          + """
             AND i.message_hash >= ?
             AND EXISTS (
                 SELECT 1 FROM {schema}.outledger_inbox_consumer c
                   JOIN {schema}.outledger_message m
                     ON m.position
                      = CAST(SUBSTRING(CAST(i.message_hash AS VARBINARY) FROM 1 FOR 8) AS BIGINT)
                  WHERE c.subscription = ? AND c.consumer_no = i.consumer_no
                    AND SUBSTRING(CAST(i.message_hash AS VARBINARY) FROM 9)
                      = SUBSTRING(HASH('SHA-256', STRINGTOUTF8(
                          COALESCE(c.hashed_consumer, c.consumer) || CHAR(0)
                            || COALESCE(c.hashed_source, ?) || CHAR(0)
                            || LPAD(CAST(m.position AS VARCHAR), 19, '0')
                            || '/' || CAST(m.id AS VARCHAR))) FROM 1 FOR 8))\
          """;

  static final LedgerSql LEDGER =
      new LedgerSql(
          """
          SELECT s.BASE_VALUE - 1 FROM INFORMATION_SCHEMA.SEQUENCES s
           WHERE s.SEQUENCE_SCHEMA = {name}
             AND UPPER(s.SEQUENCE_NAME) = 'OUTLEDGER_MESSAGE_POSITION'\
          """,
          "CURRENT_TIMESTAMP",
          "DATEADD(MILLISECOND, CAST(? AS BIGINT), CURRENT_TIMESTAMP)",
          "m.appended_at",
          "RANDOM_UUID()",
          " FOR UPDATE",
          """
          LEAST(COALESCE(CASE WHEN CARDINALITY(s.open_first) > 0 THEN s.open_first[1] END,
                         s.high + 1),
                COALESCE((SELECT MIN(h.first_position) FROM {schema}.outledger_hole h
                           WHERE h.subscription = s.subscription
                             AND h.partition_no = s.partition_no), s.high + 1))\
          """,
          List.of("outledger_hole", "outledger_status"),
          List.of());

  static final HandlersMemoryBySql.Texts HANDLERS =
      new HandlersMemoryBySql.Texts(
          "SELECT COUNT(*)" + READ_AGAIN, "DELETE" + READ_AGAIN, "DELETE" + ALL_HANDLED);

  // A range of outledger_inbox_processed. Old rows of other consumers are read and stay.
  private static final String OLD_RECORDS =
      """
      DELETE FROM {schema}.outledger_inbox
       WHERE processed_minute
             < FLOOR((EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) - CAST(? AS BIGINT) / 1000.0) / 60)\
      """;
  private static final String OF_CONSUMERS =
      """
         AND consumer_no IN (SELECT c.consumer_no FROM {schema}.outledger_inbox_consumer c
                              WHERE c.consumer IN (%s))\
      """;
  private static final String AS_MANY_AS = " FETCH FIRST ? ROWS ONLY";

  static final RetentionBySql.Texts RETENTION =
      new RetentionBySql.Texts(
          OLD_RECORDS + AS_MANY_AS,
          OLD_RECORDS + OF_CONSUMERS + AS_MANY_AS,
          "GRANT SELECT, DELETE ON {schema}.outledger_message TO role;"
              + " GRANT SELECT, DELETE ON {schema}.outledger_inbox TO role;"
              + " GRANT SELECT, DELETE ON {schema}.outledger_request TO role;"
              + " GRANT SELECT, UPDATE ON {schema}.outledger_retention TO role;"
              + " GRANT SELECT ON {schema}.outledger_cursor, {schema}.outledger_hole,"
              + " {schema}.outledger_subscription, {schema}.outledger_inbox_consumer,"
              + " {schema}.outledger_schema TO role");

  static final HolesBySql.Texts HOLES =
      new HolesBySql.Texts(
          """
          DELETE FROM {schema}.outledger_hole
           WHERE subscription = ? AND partition_no = ? AND first_position IN (
                 SELECT gone.f FROM UNNEST(CAST(? AS BIGINT ARRAY), CAST(? AS BIGINT ARRAY))
                     AS gone (f, l))\
          """,
          """
          INSERT INTO {schema}.outledger_hole
                 (subscription, partition_no, first_position, last_position)
          SELECT CAST(? AS VARCHAR), CAST(? AS INTEGER), r.f, r.l
            FROM UNNEST(CAST(? AS BIGINT ARRAY), CAST(? AS BIGINT ARRAY)) AS r (f, l)\
          """);

  // The purge: a range of the primary key.
  static final RelayStoriesBySql.Texts RELAY =
      new RelayStoriesBySql.Texts(
          "p.requested IN ('retry', 'discard')",
          "p.requested = 'discard'",
          """
          DELETE FROM {schema}.outledger_cursor
           WHERE subscription = ? AND partition_no = ? AND n < ?
             AND (NOT taken
                  OR saved_at < DATEADD(MILLISECOND, CAST(? AS BIGINT), CURRENT_TIMESTAMP))
           FETCH FIRST ? ROWS ONLY\
          """);

  private LedgerTexts() {}
}
