// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Given;
import io.outledger.store.Declaration;
import io.outledger.store.Declarations;
import io.outledger.store.Declaring;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * What is declared of one subscription or one consumer, in the table {@code outledger_declaration},
 * the same on every database. Thread-safe.
 *
 * <p>A change takes the revision after the highest that it sees. Of two at the same time both want
 * the same, so the second fails and is done again: revisions become visible in their order, and
 * whoever sees one sees all before it.
 */
public final class DeclarationTable {

  private static final int ATTEMPTS_MAX = 1_000;

  // A range of the primary key.
  private static final String ALL =
      """
      SELECT d.route, d.takes, d.what, d.revision, d.ended
        FROM {schema}.outledger_declaration d WHERE d.reader_kind = ? AND d.reader = ?\
      """;

  // The last step of a unique index.
  private static final String REVISION =
      """
      SELECT MAX(d.revision) FROM {schema}.outledger_declaration d
       WHERE d.reader_kind = ? AND d.reader = ?\
      """;

  private static final String INSERT =
      """
      INSERT INTO {schema}.outledger_declaration
             (revision, ended, declared_by, reader_kind, reader, route, takes, what)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)\
      """;

  // The primary key.
  private static final String UPDATE =
      """
      UPDATE {schema}.outledger_declaration
         SET revision = ?, ended = ?, declared_by = ?, declared_at = CURRENT_TIMESTAMP
       WHERE reader_kind = ? AND reader = ? AND route = ? AND takes = ? AND what = ?\
      """;

  private final Reader reader;
  private final UnaryOperator<String> naming;

  /**
   * Creates it, without I/O.
   *
   * @param naming puts the schema's name into a text
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public DeclarationTable(Reader reader, UnaryOperator<String> naming) {
    this.reader = Given.check("reader", reader);
    this.naming = Given.check("naming", naming);
  }

  /**
   * Of whom something is declared.
   *
   * @param kind as the table names it
   * @param name the subscription's or consumer's name
   * @param instance who declares, for people
   */
  public record Reader(String kind, String name, String instance) {

    /**
     * Checks what is given.
     *
     * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
     */
    public Reader {
      Given.check("kind", kind);
      Given.check("name", name);
      Given.check("instance", instance);
    }

    /** Returns a subscription. */
    public static Reader subscription(String name, String instance) {
      return new Reader("subscription", name, instance);
    }

    /** Returns a consumer. */
    public static Reader consumer(String name, String instance) {
      return new Reader("consumer", name, instance);
    }
  }

  /** A change, to be made in a transaction that does nothing else. */
  @FunctionalInterface
  public interface Change {

    /**
     * Makes it.
     *
     * @return whether anything had to be written
     * @throws SQLException if the database failed; of class {@link ErrorClass#DUPLICATE_KEY} or
     *     {@link ErrorClass#RACE} where somebody else was faster
     */
    boolean on(Connection transaction) throws SQLException;
  }

  /** Makes a change in a transaction of its own. */
  @FunctionalInterface
  public interface Attempt {

    /**
     * Makes it once.
     *
     * @throws SQLException if the database failed
     */
    boolean make() throws SQLException;
  }

  /**
   * Makes a change, again for as long as somebody else was faster.
   *
   * @return whether anything had to be written
   * @throws SQLException if the database failed
   */
  public static boolean untilNobodyElseDoes(SqlErrors errors, Attempt attempt) throws SQLException {
    Given.check("errors", errors);
    Given.check("attempt", attempt);
    for (int i = 1; ; i++) {
      try {
        return attempt.make();
      } catch (SQLException e) {
        ErrorClass met = errors.classOf(e);
        boolean wasRace = met == ErrorClass.DUPLICATE_KEY || met == ErrorClass.RACE;
        if (!wasRace || i == ATTEMPTS_MAX) {
          throw e;
        }
      }
    }
  }

  /** Returns the change that declares what an instance has, and ends what it replaces. */
  public Change declaring(Declaring declaring) {
    Given.check("declaring", declaring);
    return transaction -> {
      Map<Declaration, Row> rows = rows(transaction);
      List<Row> changed = new ArrayList<>();
      for (Declaration each : declaring.has()) {
        Row row = rows.get(each);
        if (row == null || row.ended()) {
          changed.add(new Row(each, 0, false));
        }
      }
      for (Row row : rows.values()) {
        if (!row.ended() && declaring.ends(row.declared())) {
          changed.add(new Row(row.declared(), 0, true));
        }
      }
      return write(transaction, rows, changed);
    };
  }

  /** Returns the change that declares again what an owner lacks. */
  public Change declaringAgain(Set<Declaration> has) {
    Given.check("has", has);
    return transaction ->
        write(
            transaction,
            rows(transaction),
            has.stream().map(each -> new Row(each, 0, false)).toList());
  }

  /** Returns the change that ends a declaration; it writes nothing where that is not declared. */
  public Change ending(Declaration declared) {
    Given.check("declared", declared);
    return transaction -> {
      Map<Declaration, Row> rows = rows(transaction);
      Row row = rows.get(declared);
      boolean isThere = row != null && !row.ended();
      return write(transaction, rows, isThere ? List.of(new Row(declared, 0, true)) : List.of());
    };
  }

  /** Returns the revision of what is declared, or 0. */
  public long revision(Connection connection) throws SQLException {
    Given.check("connection", connection);
    try (PreparedStatement statement = prepared(connection, REVISION);
        ResultSet row = statement.executeQuery()) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  /** Returns what is declared now. */
  public Declarations current(Connection connection) throws SQLException {
    Map<Declaration, Long> current = new LinkedHashMap<>();
    long revision = 0;
    for (Row row : rows(Given.check("connection", connection)).values()) {
      revision = Math.max(revision, row.revision());
      if (!row.ended()) {
        current.put(row.declared(), row.revision());
      }
    }
    return new Declarations(revision, current);
  }

  private record Row(Declaration declared, long revision, boolean ended) {}

  private Map<Declaration, Row> rows(Connection connection) throws SQLException {
    Map<Declaration, Row> all = new LinkedHashMap<>();
    try (PreparedStatement statement = prepared(connection, ALL);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        Declaration declared =
            new Declaration(
                rows.getString(1), Declaration.takes(rows.getString(2)), rows.getString(3));
        all.put(declared, new Row(declared, rows.getLong(4), rows.getBoolean(5)));
      }
    }
    return all;
  }

  private PreparedStatement prepared(Connection connection, String sql) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(naming.apply(sql));
    statement.setString(1, reader.kind());
    statement.setString(2, reader.name());
    return statement;
  }

  private boolean write(Connection transaction, Map<Declaration, Row> before, List<Row> changed)
      throws SQLException {
    long revision = before.values().stream().mapToLong(Row::revision).max().orElse(0);
    for (Row row : changed) {
      revision++;
      String sql = before.containsKey(row.declared()) ? UPDATE : INSERT;
      try (PreparedStatement statement = transaction.prepareStatement(naming.apply(sql))) {
        statement.setLong(1, revision);
        statement.setBoolean(2, row.ended());
        statement.setString(3, reader.instance());
        statement.setString(4, reader.kind());
        statement.setString(5, reader.name());
        statement.setString(6, row.declared().route());
        statement.setString(7, row.declared().takes().name());
        statement.setString(8, row.declared().what());
        statement.executeUpdate();
      }
    }
    return !changed.isEmpty();
  }
}
