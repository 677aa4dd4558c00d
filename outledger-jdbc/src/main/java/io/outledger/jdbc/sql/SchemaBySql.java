// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.jdbc.spi.LedgerSchema;
import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.spi.OperatorTransactions.Kind;
import io.outledger.jdbc.spi.SchemaVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.OptionalInt;
import javax.sql.DataSource;

/** The tables in one schema, made by the numbered scripts of a database's module. Thread-safe. */
public final class SchemaBySql implements LedgerSchema {

  // The primary key, one step from its end.
  private static final String PRESENT = "SELECT MAX(s.version) FROM {schema}.outledger_schema s";

  private final String name;
  private final LedgerTables tables;
  private final SchemaParts parts;
  private final SchemaParts.Texts texts;
  private final int newest;
  private final SchemaVersion version;

  /**
   * Creates it, without I/O.
   *
   * @param name the schema's, as it was configured
   */
  public SchemaBySql(String name, LedgerTables tables, SchemaParts parts) {
    this.name = name;
    this.tables = tables;
    this.parts = parts;
    this.texts = parts.texts();
    this.newest = texts.scripts().size();
    this.version = new SchemaVersion(name, newest);
  }

  @Override
  public String print() {
    StringBuilder sql = new StringBuilder();
    sql.append(tables.in(parts.schemaText()));
    sql.append(tables.in(texts.versions())).append(";\n\n");
    for (int next = 1; next <= newest; next++) {
      sql.append(script(next)).append('\n').append(recorded(next)).append(";\n");
    }
    return sql.toString();
  }

  @Override
  public void apply(DataSource dataSource) {
    run(parts.applying(dataSource), Kind.CHANGES, "applying the schema ", this::apply);
  }

  /** What is done of the schema in a transaction. */
  private interface Step {
    void on(Connection connection) throws SQLException;
  }

  private void run(OperatorTransactions transactions, Kind kind, String doing, Step step) {
    transactions.run(
        kind,
        doing + name,
        connection -> {
          step.on(connection);
          return newest;
        });
  }

  private void apply(Connection connection) throws SQLException {
    parts.checkServer(connection);
    int present = present(connection).orElse(0);
    version.refuseNewer(present);
    try (Statement statement = connection.createStatement()) {
      if (present == 0 && parts.isEmptied(connection)) {
        statement.execute(recorded(1));
        present = 1;
      }
      if (present == 0) {
        parts.makeSchema(connection);
        statement.execute(tables.in(texts.versions()));
      }
      for (int next = present + 1; next <= newest; next++) {
        for (String part : parts.executed(script(next))) {
          statement.execute(part);
        }
        statement.execute(recorded(next));
      }
      for (int known = 1; known <= present; known++) {
        for (String part : parts.repairs(connection, script(known))) {
          statement.execute(part);
        }
      }
    }
    parts.restoreRows(connection);
  }

  @Override
  public void check(DataSource dataSource) {
    run(parts.transactions(dataSource), Kind.READS, "checking the schema ", this::check);
  }

  private void check(Connection connection) throws SQLException {
    parts.checkServer(connection);
    version.require(present(connection));
    for (int known = 1; known <= newest; known++) {
      parts.requireViews(connection, script(known));
    }
    parts.requireRows(connection);
  }

  @Override
  public void empty(DataSource dataSource) {
    run(
        parts.transactions(dataSource),
        Kind.CHANGES,
        "emptying the tables in schema ",
        this::empty);
  }

  private void empty(Connection connection) throws SQLException {
    Ledger ledger = new Ledger(tables);
    ledger.lockRetention(connection);
    for (String table : texts.emptied()) {
      Sql.in(tables, connection, tables.in("DELETE FROM {schema}." + table)).update();
    }
    ledger.purged(connection, ledger.lastNumber(connection));
  }

  private OptionalInt present(Connection connection) throws SQLException {
    return parts.isThere(connection, "outledger_schema")
        ? OptionalInt.of((int) Sql.in(tables, connection, PRESENT).number())
        : OptionalInt.empty();
  }

  private String script(int number) {
    String script = texts.scripts().get(number - 1);
    Class<?> module = parts.getClass();
    try (InputStream in = Objects.requireNonNull(module.getResourceAsStream(script), script)) {
      return tables.in(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String recorded(int number) {
    return tables.in(texts.recorded().formatted(number));
  }
}
