// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.SqlErrors;
import io.outledger.jdbc.spi.SqlValues;
import io.outledger.jdbc.spi.SqlWords;
import io.outledger.jdbc.sql.HandlersMemory;
import io.outledger.jdbc.sql.HolesBySql;
import io.outledger.jdbc.sql.LedgerSql;
import io.outledger.jdbc.sql.LedgerTables;
import io.outledger.jdbc.sql.OpenRanges;
import io.outledger.store.KnownMessage;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The tables of a file. */
record Tables() implements LedgerTables {

  static final String SCHEMA = "main";

  /** Microseconds since 1970 by the clock of the machine, which SQLite reads to the millisecond. */
  private static final String NOW =
      "(CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000)";

  private static final SqlWords WORDS =
      new SqlWords(NOW, "INTEGER", "TEXT", "TEXT", "BLOB", "LENGTH");

  @Override
  public String in(String sql) {
    return WORDS.in(sql).replace("{schema}", SCHEMA);
  }

  @Override
  public SqlValues values() {
    return SqliteValues.OF_DRIVER;
  }

  @Override
  public SqlErrors errors() {
    return SqliteErrors.TABLE;
  }

  @Override
  public LedgerSql sql() {
    return LedgerTexts.LEDGER;
  }

  @Override
  public OpenRanges openRanges() {
    return OpenRanges.AS_JSON;
  }

  @Override
  public HolesBySql openPositions(CursorKey key) {
    return new HolesBySql(this, LedgerTexts.HOLES, key);
  }

  @Override
  public HandlersMemory handlersMemory(CursorKey key) {
    return new HandlersRecords(this, key);
  }

  @Override
  public void checkRead(
      Connection connection, CursorKey key, long high, @Nullable KnownMessage known)
      throws SQLException {
    new LedgerPreconditions(this, key).checkRead(connection, high, known);
  }
}
