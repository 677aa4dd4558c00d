// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/**
 * The rows and sequences of a database at one moment, to be restored into one that has the same
 * tables: what pg_dump's {@code --data-only} gives, without needing pg_dump. Rows get new
 * transaction ids on restoring, as they do there. Held in memory, compressed. Immutable.
 */
public final class DatabaseDump {
  // Reads the catalogue by its own indexes. Generated columns cannot be written, so they are left
  // out.
  private static final String TABLES =
      """
      SELECT c.oid::regclass::text, string_agg(quote_ident(a.attname), ',' ORDER BY a.attnum)
      FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relkind = 'r' AND c.relpersistence <> 't'
        AND n.nspname <> 'information_schema' AND left(n.nspname, 3) <> 'pg_'
        AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
      GROUP BY c.oid
      ORDER BY 1
      """;
  // Reads the catalogue by its own indexes.
  private static final String SEQUENCES =
      """
      SELECT c.oid::regclass::text FROM pg_class c WHERE c.relkind = 'S' ORDER BY 1
      """;

  private final List<Table> tables;
  private final List<String> sequenceCalls;

  /** The rows as COPY gives them, compressed. */
  private record Table(
      String name, String columns, @SuppressWarnings("ArrayRecordComponent") byte[] rows) {
    String copy(String direction) {
      return "COPY " + name + " (" + columns + ") " + direction;
    }
  }

  private DatabaseDump(List<Table> tables, List<String> sequenceCalls) {
    this.tables = tables;
    this.sequenceCalls = sequenceCalls;
  }

  static DatabaseDump of(Connection connection) throws SQLException {
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    connection.setAutoCommit(false);
    DatabaseDump dump = new DatabaseDump(tables(connection), sequenceCalls(connection));
    connection.rollback();
    return dump;
  }

  /** Replaces the rows of all tables of the dump, in one transaction. */
  void restore(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      // Triggers and foreign keys have had their say when the rows were first written.
      statement.execute("SET LOCAL session_replication_role = replica");
      if (!tables.isEmpty()) {
        statement.execute(
            "TRUNCATE " + String.join(", ", tables.stream().map(Table::name).toList()));
      }
      for (Table table : tables) {
        insert(connection, table);
      }
      for (String call : sequenceCalls) {
        statement.execute(call);
      }
    }
    connection.commit();
  }

  private static void insert(Connection connection, Table table) throws SQLException {
    try (InputStream rows = new GZIPInputStream(new ByteArrayInputStream(table.rows()))) {
      copies(connection).copyIn(table.copy("FROM STDIN"), rows);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Table> tables(Connection connection) throws SQLException {
    List<Table> tables = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(TABLES)) {
      while (found.next()) {
        Table empty = new Table(found.getString(1), found.getString(2), new byte[0]);
        tables.add(new Table(empty.name(), empty.columns(), rows(connection, empty)));
      }
    }
    return tables;
  }

  private static byte[] rows(Connection connection, Table table) throws SQLException {
    ByteArrayOutputStream rows = new ByteArrayOutputStream();
    try (OutputStream compressed = new GZIPOutputStream(rows)) {
      copies(connection).copyOut(table.copy("TO STDOUT"), compressed);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return rows.toByteArray();
  }

  private static CopyManager copies(Connection connection) throws SQLException {
    return connection.unwrap(PGConnection.class).getCopyAPI();
  }

  private static List<String> sequenceCalls(Connection connection) throws SQLException {
    List<String> calls = new ArrayList<>();
    for (String name : strings(connection, SEQUENCES)) {
      String asLiteral = name.replace("'", "''");
      String state =
          "SELECT format('SELECT setval(%%L, %%s, %%L)', '%s', last_value, is_called) FROM %s";
      calls.addAll(strings(connection, state.formatted(asLiteral, name)));
    }
    return calls;
  }

  private static List<String> strings(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> values = new ArrayList<>();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
      return values;
    }
  }
}
