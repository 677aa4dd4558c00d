// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import io.outledger.jdbc.sql.HolesBySql;
import io.outledger.jdbc.sql.LedgerSql;
import io.outledger.jdbc.sql.RelayStoriesBySql;
import io.outledger.jdbc.sql.RetentionBySql;
import java.util.List;

/** SQLite's texts for the ledger, its cursors, and their retention. */
final class LedgerTexts {

  /** The time so many milliseconds from now; null where that is null. */
  static final String LATER = "({now} + CAST(? AS INTEGER) * 1000)";

  // The row of sqlite_sequence is made with the first message.
  static final LedgerSql LEDGER =
      new LedgerSql(
          """
          SELECT COALESCE(MAX(s.seq), 0) FROM {schema}.sqlite_sequence s
           WHERE s.name = 'outledger_message'\
          """,
          "{now}",
          LATER,
          "m.appended_at",
          "randomblob(16)",
          "",
          """
          MIN(COALESCE(json_extract(s.open_ranges, '$[0][0]'), s.high + 1),
              COALESCE((SELECT MIN(h.first_position) FROM {schema}.outledger_hole h
                         WHERE h.subscription = s.subscription
                           AND h.partition_no = s.partition_no), s.high + 1))\
          """,
          List.of("outledger_hole", "outledger_status"),
          List.of());

  // A range of outledger_inbox_processed. Old rows of other consumers are read and stay.
  private static final String OLD_RECORDS =
      """
      DELETE FROM {schema}.outledger_inbox WHERE (consumer_no, message_hash) IN (
        SELECT i.consumer_no, i.message_hash FROM {schema}.outledger_inbox i
         WHERE i.processed_minute < ({now} - CAST(? AS INTEGER) * 1000) / 60000000%s LIMIT ?)\
      """;
  private static final String OF_CONSUMERS =
      """

         AND i.consumer_no IN (SELECT c.consumer_no FROM {schema}.outledger_inbox_consumer c
                                WHERE c.consumer IN (%s))\
      """;

  static final RetentionBySql.Texts RETENTION =
      new RetentionBySql.Texts(
          OLD_RECORDS.formatted(""),
          OLD_RECORDS.formatted(OF_CONSUMERS),
          "give the process's user the right to write the file and its folder");

  static final HolesBySql.Texts HOLES =
      new HolesBySql.Texts(
          """
          DELETE FROM {schema}.outledger_hole
           WHERE subscription = ? AND partition_no = ? AND first_position IN (
                 SELECT json_extract(gone.value, '$[0]') FROM json_each(?) gone)\
          """,
          """
          INSERT INTO {schema}.outledger_hole
                 (subscription, partition_no, first_position, last_position)
          SELECT ?, ?, json_extract(r.value, '$[0]'), json_extract(r.value, '$[1]')
            FROM json_each(?) r\
          """);

  // The purge: a range of the primary key.
  static final RelayStoriesBySql.Texts RELAY =
      new RelayStoriesBySql.Texts(
          "p.requested IN ('retry', 'discard')",
          "p.requested = 'discard'",
          """
          DELETE FROM {schema}.outledger_cursor WHERE rowid IN (
            SELECT c.rowid FROM {schema}.outledger_cursor c
             WHERE c.subscription = ? AND c.partition_no = ? AND c.n < ?
               AND (NOT c.taken OR c.saved_at < %s)
             LIMIT ?)\
          """
              .formatted(LATER));

  private LedgerTexts() {}
}
