// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.sql.LedgerChecks;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

/** Checks what the proofs of dead holes rest on, and says what to do where it does not hold. */
final class LedgerPreconditions extends LedgerChecks {

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

  LedgerPreconditions(Tables tables, CursorKey key) {
    super(tables, key);
    this.tables = tables;
    this.key = key;
  }

  @Override
  public void checkServer(Connection connection) throws SQLException {
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

  @Override
  protected void checkTables(Connection connection) throws SQLException {
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
  }

  @Override
  protected String continueAbove(long number) {
    return tables.in("ALTER SEQUENCE {schema}.outledger_message_position RESTART WITH ")
        + (number + 1);
  }
}
