// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.SchemaName;
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

/**
 * The tables of one database, by validated and quoted names: the only text that is ever put into
 * SQL.
 *
 * @param schema the name of the database, without quotes
 * @param product whose it is
 */
record Tables(String schema, Product product) implements LedgerTables {

  /** What is printed where no name is given. */
  static final String DEFAULT_SCHEMA = "outledger";

  private static final SqlWords WORDS =
      new SqlWords("UTC_TIMESTAMP(6)", "SIGNED", "CHAR(200)", "CHAR", "BINARY(16)", "OCTET_LENGTH");

  Tables {
    SchemaName.check(schema);
  }

  /**
   * Puts the names into a statement, in which {@code {schema}} stands for the quoted name, {@code
   * {name}} for the name as a text, and {@code {table}} for what follows a table's columns.
   */
  @Override
  public String in(String sql) {
    return WORDS
        .in(sql)
        .replace("{schema}", quotedSchema())
        .replace("{name}", "'" + schema + "'")
        .replace(
            "{table}",
            "ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = " + product.collation());
  }

  String quotedSchema() {
    return '`' + schema + '`';
  }

  @Override
  public SqlValues values() {
    return MySqlValues.ALL;
  }

  @Override
  public SqlErrors errors() {
    return MySqlErrors.TABLE;
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
  public HandlersMemory handlersMemory(CursorKey key) {
    return new HandlersRecords(this, key);
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
