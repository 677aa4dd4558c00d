// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.sql.LedgerChecks;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/** Checks what the proofs of dead holes rest on, and says what to do where it does not hold. */
final class LedgerPreconditions extends LedgerChecks {

  private static final String POSITION =
      """
      SELECT c.EXTRA FROM information_schema.COLUMNS c
       WHERE c.TABLE_SCHEMA = {name} AND c.TABLE_NAME = 'outledger_message'
         AND c.COLUMN_NAME = 'position'\
      """;

  private final Tables tables;

  LedgerPreconditions(Tables tables, CursorKey key) {
    super(tables, key);
    this.tables = tables;
  }

  @Override
  public void checkServer(Connection connection) throws SQLException {
    MySqlSettings.check(connection, tables);
    MySqlSettings.checkDurable(connection, tables);
    MySqlSettings.checkRanges(connection, tables);
  }

  @Override
  protected void checkTables(Connection connection) throws SQLException {
    MySqlSchema.requireRows(connection, tables);
    String found =
        Sql.in(tables, connection, POSITION).first(row -> row.getString(1)).orElse("none");
    if (!found.toLowerCase(Locale.ROOT).contains("auto_increment")) {
      throw altered("its column position is not AUTO_INCREMENT");
    }
  }

  @Override
  protected String continueAbove(long number) {
    return tables.in("ALTER TABLE {schema}.outledger_message AUTO_INCREMENT = ") + (number + 1);
  }
}
