// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.SchemaName;
import io.outledger.jdbc.spi.SqlErrors;
import io.outledger.jdbc.spi.SqlValues;
import io.outledger.jdbc.spi.SqlWords;
import io.outledger.jdbc.sql.HandlersMemory;
import io.outledger.jdbc.sql.HandlersMemoryBySql;
import io.outledger.jdbc.sql.HolesBySql;
import io.outledger.jdbc.sql.LedgerSql;
import io.outledger.jdbc.sql.LedgerTables;
import io.outledger.jdbc.sql.OpenRanges;
import io.outledger.store.KnownMessage;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The tables of one schema, by validated and quoted names: the only text that is ever put into SQL.
 *
 * @param schema the schema's name as it was configured, without quotes
 */
record Tables(String schema) implements LedgerTables {

  static final String DEFAULT_SCHEMA = "PUBLIC";

  Tables {
    SchemaName.check(schema);
  }

  /**
   * Puts the names into a statement, in which {@code {schema}} stands for the quoted schema, and
   * {@code {name}} for its name as a text.
   */
  @Override
  public String in(String sql) {
    return SqlWords.STANDARD
        .in(sql)
        .replace("{schema}", quotedSchema())
        .replace("{name}", "'" + schema + "'");
  }

  @Override
  public SqlValues values() {
    return SqlValues.OF_JDBC;
  }

  String quotedSchema() {
    return '"' + schema + '"';
  }

  @Override
  public SqlErrors errors() {
    return H2Errors.TABLE;
  }

  @Override
  public LedgerSql sql() {
    return LedgerTexts.LEDGER;
  }

  @Override
  public OpenRanges openRanges() {
    return OpenRanges.IN_ARRAYS;
  }

  @Override
  public HandlersMemory handlersMemory(CursorKey key) {
    return new HandlersMemoryBySql(this, LedgerTexts.HANDLERS, key);
  }

  @Override
  public HolesBySql openPositions(CursorKey key) {
    return new HolesBySql(this, LedgerTexts.HOLES, key);
  }

  @Override
  public void checkRead(
      Connection connection, CursorKey key, long high, @Nullable KnownMessage known)
      throws SQLException {
    new LedgerPreconditions(this, key).checkRead(connection, high, known);
  }
}
