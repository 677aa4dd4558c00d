// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.LedgerEdge;
import io.outledger.jdbc.spi.SchemaName;
import io.outledger.jdbc.spi.SqlErrors;
import io.outledger.jdbc.spi.SqlValues;
import io.outledger.jdbc.spi.SqlWords;
import io.outledger.jdbc.sql.HandlersMemory;
import io.outledger.jdbc.sql.HandlersMemoryBySql;
import io.outledger.jdbc.sql.Ledger;
import io.outledger.jdbc.sql.LedgerSql;
import io.outledger.jdbc.sql.LedgerTables;
import io.outledger.jdbc.sql.OpenPositions;
import io.outledger.jdbc.sql.OpenRanges;
import io.outledger.store.KnownMessage;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The tables of one schema, by validated and quoted names: the only text that is ever put into SQL.
 *
 * @param schema the schema's name as it was configured, without quotes
 */
record Tables(String schema) implements LedgerTables {

  static final String DEFAULT_SCHEMA = "public";

  Tables {
    SchemaName.check(schema);
  }

  /** Puts the names into a statement, in which {@code {schema}} stands for the quoted schema. */
  @Override
  public String in(String sql) {
    return SqlWords.STANDARD.in(sql).replace("{schema}", quotedSchema());
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
    return PostgresErrors.TABLE;
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
  public OpenPositions openPositions(CursorKey key) {
    return new HoleTable(this, key);
  }

  @Override
  public Optional<LedgerEdge> walk(Connection connection, Start start) throws SQLException {
    return new LedgerScan(this).edge(connection, start);
  }

  @Override
  public void supersede(Connection transaction, CursorKey key, long high, boolean isAnother)
      throws SQLException {
    new ParkedAfterMove(this, key).supersede(transaction, isAnother);
  }

  @Override
  public void checkRead(
      Connection connection, CursorKey key, long high, @Nullable KnownMessage known)
      throws SQLException {
    if (new Ledger(this).isReset(connection, high, known)) {
      throw new LedgerIdentity(this, key).isReset();
    }
  }
}
