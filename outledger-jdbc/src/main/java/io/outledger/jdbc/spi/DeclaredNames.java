// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import io.outledger.jdbc.spi.DeclarationTable.Renamed;
import io.outledger.jdbc.spi.DeclarationTable.Row;
import io.outledger.jdbc.spi.DeclarationTable.State;
import io.outledger.store.Declaration;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Names that a reader or its routes had once, in rows beside what is declared. What was renamed
 * leaves such a row, with a revision as every change has: of a declaration in the old name at the
 * same time one fails and is done again, and whoever declares sees the row. So no instance begins
 * with the old name again. Every method works in the caller's transaction. Thread-safe.
 */
public final class DeclaredNames {

  private static final String ROUTE_RENAMED = "ROUTE_RENAMED";
  private static final String INSERT =
      """
      INSERT INTO {schema}.outledger_declaration
             (renamed_to, revision, declared_by, reader_kind, reader, takes, route, ended, what,
              declared_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, TRUE, '', {now})\
      """;

  // The primary key. A name that may be used again has none beside it; its row stays, so that no
  // revision comes twice.
  private static final String UPDATE =
      """
      UPDATE {schema}.outledger_declaration
         SET renamed_to = ?, revision = ?, declared_by = ?, declared_at = {now}
       WHERE reader_kind = ? AND reader = ? AND takes = ? AND route = ? AND what = ''\
      """;
  private static final String FREE = "";

  private final DeclarationTable table;

  /**
   * Creates it, without I/O.
   *
   * @param table what is declared of the reader
   * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null
   */
  public DeclaredNames(DeclarationTable table) {
    this.table = Require.nonNull("table", table);
  }

  /** Returns the name that the reader has now; empty if it was not renamed. */
  public Optional<String> renamedTo(Connection transaction) throws SQLException {
    return table.state(Require.nonNull("transaction", transaction)).names().stream()
        .filter(Renamed::isReader)
        .map(Renamed::to)
        .findFirst();
  }

  /** Returns the names that routes have now, by those that they had. */
  public Map<String, String> routes(Connection transaction) throws SQLException {
    Map<String, String> all = new LinkedHashMap<>();
    for (Renamed each : table.state(Require.nonNull("transaction", transaction)).names()) {
      if (!each.isReader()) {
        all.put(each.route(), each.to());
      }
    }
    return all;
  }

  /**
   * Gives what is declared to a reader of another name, which has nothing declared.
   *
   * @param to the other; if it was renamed to this one, that is taken back
   */
  public void rename(Connection transaction, DeclaredNames to) throws SQLException {
    Require.nonNull("to", to);
    Map<String, String> routes = routes(transaction);
    List<Row> current = current(table.state(transaction));
    to.free(transaction);
    to.table.write(transaction, to.table.state(transaction), current);
    for (Map.Entry<String, String> route : routes.entrySet()) {
      free(transaction, ROUTE_RENAMED, route.getKey());
      to.note(transaction, ROUTE_RENAMED, route.getKey(), route.getValue());
    }
    end(transaction, current);
    note(transaction, DeclarationTable.READER_RENAMED, "", to.table.reader().name());
  }

  /** Gives what is declared of a route to one of another name, of which nothing is declared. */
  public void renameRoute(Connection transaction, String from, String to) throws SQLException {
    Require.nonNull("from", from);
    Require.nonNull("to", to);
    free(transaction, ROUTE_RENAMED, to);
    State before = table.state(transaction);
    List<Row> old = current(before).stream().filter(row -> row.isOfRoute(from)).toList();
    List<Row> renamed = new ArrayList<>();
    for (Row row : old) {
      Declaration declared = row.declared();
      renamed.add(new Row(new Declaration(to, declared.takes(), declared.what()), 0, false));
    }
    table.write(transaction, before, renamed);
    end(transaction, old);
    note(transaction, ROUTE_RENAMED, from, to);
  }

  /**
   * Lets the reader's name be used again.
   *
   * @return whether it was renamed
   */
  public boolean free(Connection transaction) throws SQLException {
    return free(transaction, DeclarationTable.READER_RENAMED, "");
  }

  private static List<Row> current(State state) {
    return state.rows().values().stream().filter(row -> !row.ended()).toList();
  }

  private void end(Connection transaction, List<Row> rows) throws SQLException {
    table.write(
        transaction,
        table.state(transaction),
        rows.stream().map(row -> new Row(row.declared(), 0, true)).toList());
  }

  private boolean free(Connection transaction, String takes, String route) throws SQLException {
    State state = table.state(Require.nonNull("transaction", transaction));
    boolean isRenamed =
        state.names().stream()
            .anyMatch(
                each ->
                    each.isReader()
                        ? takes.equals(DeclarationTable.READER_RENAMED)
                        : takes.equals(ROUTE_RENAMED) && each.route().equals(route));
    if (isRenamed) {
      write(transaction, UPDATE, takes, route, FREE);
    }
    return isRenamed;
  }

  private void note(Connection transaction, String takes, String route, String to)
      throws SQLException {
    if (write(transaction, UPDATE, takes, route, to) == 0) {
      write(transaction, INSERT, takes, route, to);
    }
  }

  private int write(Connection transaction, String sql, String takes, String route, String to)
      throws SQLException {
    DeclarationTable.Reader reader = table.reader();
    try (PreparedStatement statement = transaction.prepareStatement(table.in(sql))) {
      statement.setString(1, to);
      statement.setLong(2, table.state(transaction).revision() + 1);
      statement.setString(3, reader.instance());
      statement.setString(4, reader.kind());
      statement.setString(5, reader.name());
      statement.setString(6, takes);
      statement.setString(7, route);
      return statement.executeUpdate();
    }
  }
}
