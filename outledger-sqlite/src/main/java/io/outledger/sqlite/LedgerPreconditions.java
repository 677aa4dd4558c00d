// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.sql.LedgerChecks;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

/** Checks what the proofs of dead holes rest on, and says what to do where it does not hold. */
final class LedgerPreconditions extends LedgerChecks {

  private static final String DEFINITION =
      """
      SELECT t.sql FROM {schema}.sqlite_master t
       WHERE t.type = 'table' AND t.name = 'outledger_message'\
      """;

  // The append notices it as well, but a writer of another kind does not.
  private static final String DROPPING_TRIGGER =
      """
      SELECT t.name FROM {schema}.sqlite_master t
       WHERE t.type = 'trigger' AND t.tbl_name = 'outledger_message'
         AND UPPER(t.sql) LIKE '%RAISE%IGNORE%'\
      """;

  private final Tables tables;

  LedgerPreconditions(Tables tables, CursorKey key) {
    super(tables, key);
    this.tables = tables;
  }

  @Override
  public void checkServer(Connection connection) throws SQLException {
    SqliteSettings.check(connection);
  }

  @Override
  protected void checkTables(Connection connection) throws SQLException {
    SqliteSchema.requireRows(connection, tables);
    String definition =
        Sql.in(tables, connection, DEFINITION).first(row -> row.getString(1)).orElse("");
    if (!definition.toUpperCase(Locale.ROOT).contains("AUTOINCREMENT")) {
      throw altered(
          "its column position is not AUTOINCREMENT, so positions of removed messages would be"
              + " given out again");
    }
    List<String> triggers =
        Sql.in(tables, connection, DROPPING_TRIGGER).rows(row -> row.getString(1));
    if (!triggers.isEmpty()) {
      throw altered("the trigger " + triggers.get(0) + " may drop rows that are inserted");
    }
  }

  @Override
  protected String continueAbove(long number) {
    return "UPDATE sqlite_sequence SET seq = " + number + " WHERE name = 'outledger_message'";
  }
}
