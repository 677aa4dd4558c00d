// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.jdbc.sql.HandlersMemoryBySql;
import io.outledger.jdbc.sql.LedgerSql;
import io.outledger.jdbc.sql.RetentionBySql;
import java.util.List;

/** PostgreSQL's texts for the ledger, its cursors, and their retention. */
final class LedgerTexts {

  // No upper end: what is above was processed and not saved yet, and comes again as well.
  private static final String GIVEN =
      """
      WITH given AS MATERIALIZED (
        SELECT ?::text AS subscription, ?::uuid AS lowest, ?::text AS again, ?::text AS source),
      each AS MATERIALIZED (
        SELECT DISTINCT c.consumer_no, coalesce(c.hashed_consumer, c.consumer) AS consumer,
               coalesce(c.hashed_source, given.source) AS source
          FROM {schema}.outledger_inbox_consumer c, given
         WHERE c.subscription = given.subscription)
      """;

  // A range of the primary key for each consumer, whatever its name. See InboxKey: the hash begins
  // with the position. One probe of the ledger for each record, which OFFSET 0 has the planner make
  // one by one.
  private static final String READ_AGAIN =
      """
       FROM {schema}.outledger_inbox i
       WHERE i.consumer_no = ANY (ARRAY(SELECT each.consumer_no FROM each))
         AND i.message_hash >= (SELECT given.lowest FROM given)
         AND EXISTS (
             SELECT FROM {schema}.outledger_message m, each
              WHERE m.position
                  = ('x' || left(replace(i.message_hash::text, '-', ''), 16))::bit(64)::bigint
                AND each.consumer_no = i.consumer_no
                AND right(replace(i.message_hash::text, '-', ''), 16)
                  = left(encode(sha256(
                      convert_to(each.consumer, 'UTF8') || '\\x00'
                      || convert_to(each.source, 'UTF8') || '\\x00'
                      || convert_to(lpad(m.position::text, 19, '0') || '/' || m.id, 'UTF8')),
                      'hex'), 16) OFFSET 0)\
      """;
  private static final String FORGET_ALL =
      """
      DELETE FROM {schema}.outledger_inbox i
       WHERE i.consumer_no = ANY (ARRAY(
             SELECT c.consumer_no FROM {schema}.outledger_inbox_consumer c
              WHERE c.subscription = ?))\
      """;

  static final LedgerSql LEDGER =
      new LedgerSql(
          "SELECT " + LedgerIdentity.LAST_NUMBER,
          "clock_timestamp()",
          "clock_timestamp() + ?::bigint * interval '1 millisecond'",
          "m.appended_at",
          "gen_random_uuid()",
          " FOR UPDATE",
          """
          least(coalesce(s.open_first[1], s.high + 1),
                (SELECT min(h.first_position) FROM {schema}.outledger_hole h
                  WHERE h.subscription = s.subscription AND h.partition_no = s.partition_no))\
          """,
          List.of("outledger_hole_block", "outledger_status"),
          List.of("outledger_late"));

  static final HandlersMemoryBySql.Texts HANDLERS =
      new HandlersMemoryBySql.Texts(
          GIVEN + "SELECT count(*)" + READ_AGAIN, GIVEN + "DELETE" + READ_AGAIN, FORGET_ALL);

  // One range of the BRIN index on processed_minute, up to as many rows as fit in a step. Old rows
  // of other consumers are read and stay.
  private static final String OLD_RECORDS =
      """
      DELETE FROM {schema}.outledger_inbox i
       WHERE i.ctid = ANY (ARRAY(
             SELECT old.ctid FROM {schema}.outledger_inbox old
              WHERE old.processed_minute
                    < floor((date_part('epoch', now()) - ?::bigint / 1000.0) / 60)::int\
      """;
  private static final String OF_CONSUMERS =
      """
                AND old.consumer_no = ANY (ARRAY(
                    SELECT c.consumer_no FROM {schema}.outledger_inbox_consumer c
                     WHERE c.consumer IN (%s)))\
      """;
  private static final String AS_MANY_AS = " LIMIT ?))";

  static final RetentionBySql.Texts RETENTION =
      new RetentionBySql.Texts(
          OLD_RECORDS + AS_MANY_AS,
          OLD_RECORDS + OF_CONSUMERS + AS_MANY_AS,
          "GRANT USAGE ON SCHEMA {schema} TO role;"
              + " GRANT SELECT, DELETE ON {schema}.outledger_message, {schema}.outledger_inbox,"
              + " {schema}.outledger_late, {schema}.outledger_request TO role;"
              + " GRANT SELECT, UPDATE ON {schema}.outledger_retention TO role;"
              + " GRANT SELECT ON {schema}.outledger_hole, {schema}.outledger_subscription,"
              + " {schema}.outledger_inbox_consumer, {schema}.outledger_schema TO role;"
              + " GRANT SELECT ON SEQUENCE {schema}.outledger_message_position TO role");

  private LedgerTexts() {}
}
