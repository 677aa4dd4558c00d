// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows and sequences of a database at one moment, to be restored into one that has the same
 * tables: what pg_dump's {@code --data-only} gives, without needing pg_dump. Rows get new
 * transaction ids on restoring, as they do there. Immutable.
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

  /** The rows are in PostgreSQL's own text form of a whole row, which loses nothing. */
  private record Table(String name, String columns, List<String> rows) {
    String insert() {
      String fields = "(r)." + columns.replace(",", ",(r).");
      return "INSERT INTO %s (%s) OVERRIDING SYSTEM VALUE SELECT %s FROM (SELECT ?::%s AS r) s"
          .formatted(name, columns, fields, name);
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
    try (PreparedStatement insert = connection.prepareStatement(table.insert())) {
      for (String row : table.rows()) {
        insert.setString(1, row);
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private static List<Table> tables(Connection connection) throws SQLException {
    List<Table> tables = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(TABLES)) {
      while (found.next()) {
        String name = found.getString(1);
        List<String> rows = strings(connection, "SELECT t::text FROM ONLY " + name + " t");
        tables.add(new Table(name, found.getString(2), rows));
      }
    }
    return tables;
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
