// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.jdbc.sql.HolesBySql;
import io.outledger.jdbc.sql.LedgerSql;
import io.outledger.jdbc.sql.RelayStoriesBySql;
import io.outledger.jdbc.sql.RetentionBySql;
import java.util.List;

/** The texts for the ledger, its cursors, and their retention. */
final class LedgerTexts {

  static final LedgerSql LEDGER =
      new LedgerSql(
          """
          SELECT COALESCE(MAX(t.AUTO_INCREMENT), 1) - 1 FROM information_schema.TABLES t
           WHERE t.TABLE_SCHEMA = {name} AND t.TABLE_NAME = 'outledger_message'\
          """,
          "UTC_TIMESTAMP(6)",
          "TIMESTAMPADD(MICROSECOND, ? * 1000, UTC_TIMESTAMP(6))",
          // Of a column that is a TIMESTAMP this converts nothing, whatever the session's time
          // zone.
          """
          TIMESTAMPADD(MICROSECOND, UNIX_TIMESTAMP(m.appended_at) * 1000000,
                       TIMESTAMP '1970-01-01 00:00:00')\
          """,
          "UNHEX(REPLACE(UUID(), '-', ''))",
          " FOR UPDATE",
          """
          LEAST(COALESCE(CAST(JSON_EXTRACT(s.open_ranges, '$[0][0]') AS SIGNED), s.high + 1),
                COALESCE((SELECT MIN(h.first_position) FROM {schema}.outledger_hole h
                           WHERE h.subscription = s.subscription
                             AND h.partition_no = s.partition_no), s.high + 1))\
          """,
          List.of("outledger_hole", "outledger_status"),
          List.of());

  // A range of outledger_inbox_processed. Old rows of other consumers are read and stay.
  private static final String OLD_RECORDS =
      """
      DELETE FROM {schema}.outledger_inbox
       WHERE processed_minute < FLOOR((UNIX_TIMESTAMP() - ? / 1000) / 60)\
      """;
  private static final String OF_CONSUMERS =
      """
         AND consumer_no IN (SELECT c.consumer_no FROM {schema}.outledger_inbox_consumer c
                              WHERE c.consumer IN (%s))\
      """;
  private static final String AS_MANY_AS = " LIMIT ?";

  static final RetentionBySql.Texts RETENTION =
      new RetentionBySql.Texts(
          OLD_RECORDS + AS_MANY_AS,
          OLD_RECORDS + OF_CONSUMERS + AS_MANY_AS,
          "GRANT SELECT, DELETE ON {schema}.outledger_message TO user;"
              + " GRANT SELECT, DELETE ON {schema}.outledger_inbox TO user;"
              + " GRANT SELECT, DELETE ON {schema}.outledger_request TO user;"
              + " GRANT SELECT, UPDATE ON {schema}.outledger_retention TO user;"
              + " GRANT SELECT ON {schema}.outledger_cursor TO user;"
              + " GRANT SELECT ON {schema}.outledger_hole TO user;"
              + " GRANT SELECT ON {schema}.outledger_subscription TO user;"
              + " GRANT SELECT ON {schema}.outledger_inbox_consumer TO user;"
              + " GRANT SELECT ON {schema}.outledger_schema TO user");

  static final HolesBySql.Texts HOLES =
      new HolesBySql.Texts(
          """
          DELETE FROM {schema}.outledger_hole
           WHERE subscription = ? AND partition_no = ? AND first_position IN (
                 SELECT gone.f
                   FROM JSON_TABLE(?, '$[*]' COLUMNS (f BIGINT PATH '$[0]')) gone)\
          """,
          """
          INSERT INTO {schema}.outledger_hole
                 (subscription, partition_no, first_position, last_position)
          SELECT ?, ?, r.f, r.l
            FROM JSON_TABLE(?, '$[*]' COLUMNS (f BIGINT PATH '$[0]', l BIGINT PATH '$[1]')) r\
          """);

  // The purge: a range of the primary key.
  static final RelayStoriesBySql.Texts RELAY =
      new RelayStoriesBySql.Texts(
          "p.discarded IN (TRUE, FALSE)",
          "p.discarded = TRUE",
          """
          DELETE FROM {schema}.outledger_cursor
           WHERE subscription = ? AND partition_no = ? AND n < ?
             AND (NOT taken OR saved_at < TIMESTAMPADD(MICROSECOND, ? * 1000, {now}))
           LIMIT ?\
          """);

  private LedgerTexts() {}
}
