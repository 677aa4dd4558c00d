// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.spi.CursorKey;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Checks what the proofs of dead holes rest on, and says what to do where it does not hold. */
final class LedgerPreconditions {

  // Asked apart, because a statement that touches the ledger fails where it is in force.
  private static final String ROW_SECURITY =
      "SELECT row_security_active('{schema}.outledger_message'::regclass)";

  private static final String SERVER =
      "SELECT pg_is_in_recovery(), current_setting('server_version_num')::int";

  // Catalogues by their primary keys; the ledger's highest position by one step back.
  private static final String LEDGER =
      """
      SELECT table_kind.relpersistence = 'p' AND number_kind.relpersistence = 'p',
             coalesce(pg_get_expr(default_of.adbin, default_of.adrelid), 'none'),
             format(E'\\nCASE\\n    WHEN (pg_current_xact_id() IS NOT NULL)'
                    ' THEN nextval(%L::regclass)\\n    ELSE NULL::bigint\\nEND',
                    numbers.seqrelid::regclass),
             numbers.seqcache, numbers.seqincrement, numbers.seqcycle,
             (SELECT CASE WHEN p.is_called THEN p.last_value ELSE p.last_value - 1 END
                FROM {schema}.outledger_message_position p),
             (SELECT coalesce(max(m.position), 0) FROM {schema}.outledger_message m),
             (SELECT min(child.inhrelid::regclass::text) FROM pg_inherits child
                JOIN pg_class heir ON heir.oid = child.inhrelid
               WHERE child.inhparent = ledger.id AND NOT heir.relispartition),
             table_kind.relkind = 'r'
        FROM (SELECT '{schema}.outledger_message'::regclass AS id) ledger
        JOIN pg_class table_kind ON table_kind.oid = ledger.id
        JOIN pg_attribute position_of
          ON position_of.attrelid = ledger.id AND position_of.attname = 'position'
        LEFT JOIN pg_attrdef default_of
          ON default_of.adrelid = ledger.id AND default_of.adnum = position_of.attnum
        JOIN pg_sequence numbers
          ON numbers.seqrelid = '{schema}.outledger_message_position'::regclass
        JOIN pg_class number_kind ON number_kind.oid = numbers.seqrelid\
      """;

  // Readable by everybody on all supported versions, unlike pg_subscription itself.
  private static final String REPLICATED =
      """
      SELECT count(*) FROM pg_subscription_rel r
       WHERE r.srrelid = '{schema}.outledger_message'::regclass\
      """;

  private final Tables tables;
  private final CursorKey key;

  LedgerPreconditions(Tables tables, CursorKey key) {
    this.tables = tables;
    this.key = key;
  }

  void check(Session session, long high) throws SQLException {
    checkServer(session);
    checkLedger(session, high);
  }

  void checkServer(Session session) throws SQLException {
    try (ResultSet row = session.prepare(SERVER).executeQuery()) {
      row.next();
      if (row.getBoolean(1)) {
        throw new ConfigurationException(
            ErrorCode.SERVER_IN_RECOVERY,
            "the server is a standby in recovery: connect the relay of subscription "
                + key
                + " to the primary, for example with targetServerType=primary in its JDBC URL");
      }
      if (row.getInt(2) < 130000) {
        throw new ConfigurationException(
            ErrorCode.UNSUPPORTED_DATABASE,
            "PostgreSQL " + row.getInt(2) / 10000 + " is too old: use 13 or newer");
      }
    }
  }

  void checkLedger(Session session, long high) throws SQLException {
    PostgresSchema.requireRows(session.connection(), tables);
    try (ResultSet row = session.prepare(tables.in(ROW_SECURITY)).executeQuery()) {
      row.next();
      checkRowSecurity(row.getBoolean(1));
    }
    try (ResultSet row = session.prepare(tables.in(LEDGER)).executeQuery()) {
      if (!row.next()) {
        throw altered("its position column or its sequence is missing");
      }
      checkPosition(row);
      checkNumbers(row.getLong(7), row.getLong(8), high);
    }
    try (ResultSet row = session.prepare(tables.in(REPLICATED)).executeQuery()) {
      row.next();
      if (row.getLong(1) > 0) {
        throw new ConfigurationException(
            ErrorCode.LEDGER_REPLICATED_INTO,
            "a logical replication subscription of this database writes to "
                + ledger()
                + ", so the relay cannot prove which holes are dead: remove the table from"
                + " the publication, then refresh or drop the subscription");
      }
    }
  }

  private void checkPosition(ResultSet row) throws SQLException {
    if (!row.getBoolean(10)) {
      // Writers are known by their locks on the ledger itself.
      throw altered(
          "it is partitioned, and who inserts into a partition locks that alone, so the relay would"
              + " take what is not committed yet for rolled back");
    }
    String child = row.getString(9);
    if (child != null) {
      throw altered(
          "the table "
              + child
              + " inherits from it, and rows of such a table are seen in the ledger but never"
              + " published: ALTER TABLE "
              + child
              + " NO INHERIT "
              + ledger());
    }
    if (!row.getBoolean(1)) {
      throw altered("the table or its sequence is UNLOGGED, and a crash would empty it");
    }
    String found = row.getString(2);
    String ours = row.getString(3);
    if (!ours.strip().equals(found.strip())) {
      throw altered("the default of its column position is " + found.strip());
    }
    if (row.getLong(4) != 1 || row.getLong(5) != 1 || row.getBoolean(6)) {
      throw altered(
          "its sequence has cache %s, increment %s, %s but must have cache 1, increment 1, no cycle"
              .formatted(row.getLong(4), row.getLong(5), row.getBoolean(6) ? "cycle" : "no cycle"));
    }
  }

  private void checkRowSecurity(boolean active) {
    if (active) {
      throw new ConfigurationException(
          ErrorCode.ROW_SECURITY,
          "row-level security applies to this user on "
              + ledger()
              + ", and the relay would take hidden rows for holes: grant BYPASSRLS to the relay's"
              + " role, or disable row security on the table");
    }
  }

  private void checkNumbers(long lastNumber, long highestPosition, long high) {
    if (lastNumber >= high && lastNumber >= highestPosition) {
      return;
    }
    throw new ConfigurationException(
        ErrorCode.LEDGER_BEHIND_CURSOR,
        """
        the sequence of %s is at %s, below its highest position %s or below %s, which \
        subscription %s has already read, so new messages would be skipped. If the ledger was \
        emptied or restored, run SELECT setval('%s', %s) and start again; if it was restored \
        without its cursor, also move the subscription\
        """
            .formatted(
                ledger(),
                lastNumber,
                highestPosition,
                high,
                key,
                tables.in("{schema}.outledger_message_position"),
                Math.max(high, highestPosition)));
  }

  private ConfigurationException altered(String problem) {
    return new ConfigurationException(
        ErrorCode.LEDGER_ALTERED,
        ledger()
            + " differs from the schema, and messages could be lost: "
            + problem
            + ". Restore it to what Schema.print() shows");
  }

  private String ledger() {
    return tables.in("{schema}.outledger_message");
  }
}
