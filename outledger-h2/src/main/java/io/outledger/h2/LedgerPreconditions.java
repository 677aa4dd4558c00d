// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.store.KnownMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Checks what the proofs of dead holes rest on, and says what to do where it does not hold. */
final class LedgerPreconditions {

  private static final String IS_ADMIN =
      """
      SELECT u.USER_NAME FROM INFORMATION_SCHEMA.USERS u
       WHERE u.USER_NAME = CURRENT_USER AND u.IS_ADMIN\
      """;
  private static final String DEFAULT_OF_POSITION =
      """
      SELECT c.COLUMN_DEFAULT FROM INFORMATION_SCHEMA.COLUMNS c
       WHERE c.TABLE_SCHEMA = {name} AND UPPER(c.TABLE_NAME) = 'OUTLEDGER_MESSAGE'
         AND UPPER(c.COLUMN_NAME) = 'POSITION'\
      """;
  private static final String NUMBERS =
      """
      SELECT s.INCREMENT, s.CYCLE_OPTION FROM INFORMATION_SCHEMA.SEQUENCES s
       WHERE s.SEQUENCE_SCHEMA = {name}
         AND UPPER(s.SEQUENCE_NAME) = 'OUTLEDGER_MESSAGE_POSITION'\
      """;

  // Its rows count as inserted, so the append does not notice that they are not there.
  private static final String DROPPING_TRIGGER =
      """
      SELECT t.TRIGGER_NAME FROM INFORMATION_SCHEMA.TRIGGERS t
       WHERE t.EVENT_OBJECT_SCHEMA = {name}
         AND UPPER(t.EVENT_OBJECT_TABLE) = 'OUTLEDGER_MESSAGE'
         AND t.ACTION_TIMING = 'INSTEAD OF'\
      """;

  private final Tables tables;
  private final CursorKey key;
  private final Ledger ledger;

  LedgerPreconditions(Tables tables, CursorKey key) {
    this.tables = tables;
    this.key = key;
    this.ledger = new Ledger(tables);
  }

  void check(Connection connection, long high) throws SQLException {
    checkServer(connection);
    checkLedger(connection, high);
  }

  void checkServer(Connection connection) throws SQLException {
    H2Settings.check(connection);
    if (Sql.of(connection, IS_ADMIN).rows(row -> row.getString(1)).isEmpty()) {
      throw new ConfigurationException(
          ErrorCode.UNSUPPORTED_DATABASE,
          "the relay of subscription "
              + key
              + " is not logged in as an administrator, so H2 shows it only its own locks: execute"
              + " ALTER USER … ADMIN TRUE, or give the relay another user");
    }
  }

  void checkLedger(Connection connection, long high) throws SQLException {
    H2Schema.requireRows(connection, tables);
    String found =
        Sql.of(connection, tables.in(DEFAULT_OF_POSITION))
            .first(row -> String.valueOf(row.getString(1)))
            .orElse("none");
    String plain = found.toUpperCase(Locale.ROOT).replace("\"", "");
    if (!plain.equals(
        tables
            .in("NEXT VALUE FOR {schema}.OUTLEDGER_MESSAGE_POSITION")
            .toUpperCase(Locale.ROOT)
            .replace("\"", ""))) {
      throw altered("the default of its column position is " + found);
    }
    List<String> numbers =
        Sql.of(connection, tables.in(NUMBERS))
            .rows(row -> row.getLong(1) + ", cycle " + row.getString(2));
    if (!numbers.equals(List.of("1, cycle NO"))) {
      throw altered("its sequence has increment " + numbers + " but must have 1, cycle NO");
    }
    List<String> triggers =
        Sql.of(connection, tables.in(DROPPING_TRIGGER)).rows(row -> row.getString(1));
    if (!triggers.isEmpty()) {
      throw altered("the trigger " + triggers.get(0) + " runs in place of what changes it");
    }
    checkNumbers(ledger.lastNumber(connection), ledger.highest(connection), high);
  }

  /**
   * Checks, before a cursor is gone on from, that the message it knows is still there, or was
   * removed by retention.
   */
  void checkKnown(Connection connection, @Nullable KnownMessage known) throws SQLException {
    if (ledger.isGone(connection, known)) {
      throw new ConfigurationException(
          ErrorCode.LEDGER_BEHIND_CURSOR,
          """
          %s is not the ledger that subscription %s has read: the last message that it read is \
          gone, or another message has its position. The ledger was emptied, restored or \
          renumbered. The relay publishes nothing until you move the subscription: to EARLIEST to \
          publish everything that is there, or to the position where it should continue. What is \
          parked of the earlier ledger stays parked\
          """
              .formatted(tables.in("{schema}.outledger_message"), key));
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
        emptied or restored, execute ALTER SEQUENCE %s RESTART WITH %s and start again; if it was \
        restored without its cursor, also move the subscription\
        """
            .formatted(
                tables.in("{schema}.outledger_message"),
                lastNumber,
                highestPosition,
                high,
                key,
                tables.in("{schema}.outledger_message_position"),
                Math.max(high, highestPosition) + 1));
  }

  private ConfigurationException altered(String problem) {
    return new ConfigurationException(
        ErrorCode.LEDGER_ALTERED,
        tables.in("{schema}.outledger_message")
            + " differs from the schema, and messages could be lost: "
            + problem
            + ". Restore it to what Schema.print() shows");
  }
}
