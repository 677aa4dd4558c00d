// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.UnknownName;
import io.outledger.store.Declaration;
import io.outledger.store.Declarations;
import io.outledger.store.Declaring;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

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
      SELECT d.route, d.takes, d.what, d.revision, d.ended, d.renamed_to, d.declared_by,
             d.declared_at, {now}
        FROM {schema}.outledger_declaration d WHERE d.reader_kind = ? AND d.reader = ?\
      """;

  // The primary key's first column.
  private static final String PARKED_IN =
      "SELECT DISTINCT p.route FROM {schema}.outledger_parked p WHERE p.subscription = ?";

  // The last step of a unique index.
  private static final String REVISION =
      """
      SELECT MAX(d.revision) FROM {schema}.outledger_declaration d
       WHERE d.reader_kind = ? AND d.reader = ?\
      """;

  private static final String INSERT =
      """
      INSERT INTO {schema}.outledger_declaration
             (revision, ended, declared_by, reader_kind, reader, route, takes, what, declared_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, {now})\
      """;

  // The primary key.
  private static final String UPDATE =
      """
      UPDATE {schema}.outledger_declaration
         SET revision = ?, ended = ?, declared_by = ?, declared_at = {now}
       WHERE reader_kind = ? AND reader = ? AND route = ? AND takes = ? AND what = ?\
      """;

  /** What a row says in "takes" that tells of the reader's name, and of no message. */
  static final String READER_RENAMED = "READER_RENAMED";

  private final Reader reader;
  private final SqlNaming naming;

  /**
   * Creates it, without I/O.
   *
   * @param naming the words of its schema
   * @throws ConfigurationException {@code OUT-021} if something is null
   */
  public DeclarationTable(Reader reader, SqlNaming naming) {
    this.reader = Require.nonNull("reader", reader);
    this.naming = Require.nonNull("naming", naming);
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
     * @throws ConfigurationException {@code OUT-021} if something is null
     */
    public Reader {
      Require.nonNull("kind", kind);
      Require.nonNull("name", name);
      Require.nonNull("instance", instance);
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
    Require.nonNull("errors", errors);
    Require.nonNull("attempt", attempt);
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
    Require.nonNull("declaring", declaring);
    return transaction -> {
      State before = state(transaction);
      requireNames(before, declaring.has());
      Map<Declaration, Row> rows = before.rows();
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
      return write(transaction, before, changed);
    };
  }

  /** Returns the change that declares again what an owner lacks. */
  public Change declaringAgain(Set<Declaration> has) {
    Require.nonNull("has", has);
    return transaction -> {
      State before = state(transaction);
      requireNames(before, has);
      return write(transaction, before, has.stream().map(each -> new Row(each, 0, false)).toList());
    };
  }

  /** Returns the change that ends a declaration; it writes nothing where that is not declared. */
  public Change ending(Declaration declared) {
    Require.nonNull("declared", declared);
    return transaction -> {
      State before = state(transaction);
      Row row = before.rows().get(declared);
      boolean isThere = row != null && !row.ended();
      return write(transaction, before, isThere ? List.of(new Row(declared, 0, true)) : List.of());
    };
  }

  /** Returns the revision of what is declared, or 0. */
  public long revision(Connection connection) throws SQLException {
    Require.nonNull("connection", connection);
    try (PreparedStatement statement = prepared(connection, REVISION);
        ResultSet row = statement.executeQuery()) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  /** Returns what is declared now. */
  public Declarations current(Connection connection) throws SQLException {
    return current(state(Require.nonNull("connection", connection)));
  }

  private static Declarations current(State state) {
    Map<Declaration, Long> current = new LinkedHashMap<>();
    for (Row row : state.rows().values()) {
      if (!row.ended()) {
        current.put(row.declared(), row.revision());
      }
    }
    return new Declarations(state.revision(), current);
  }

  /** Returns what is declared now, and what was ended so short a while ago. */
  public ShownDeclarations currentAndEndedWithin(Connection connection, Duration within)
      throws SQLException {
    Require.nonNull("connection", connection);
    Require.nonNull("within", within);
    State state = state(connection);
    Set<Declaration> ended = new LinkedHashSet<>();
    state
        .endedFor()
        .forEach(
            (declared, ago) -> {
              if (ago.abs().compareTo(within) < 0) { // also by a clock that was set back since
                ended.add(declared);
              }
            });
    return new ShownDeclarations(current(state), ended);
  }

  /**
   * Returns the routes of a subscription that are known: declared now, or with messages parked in
   * them, in any state, which is how a handler that was removed from the code is known.
   */
  public Set<String> routes(Connection connection) throws SQLException {
    Set<String> routes = new TreeSet<>(current(connection).routes());
    try (PreparedStatement statement = connection.prepareStatement(naming.in(PARKED_IN))) {
      statement.setString(1, reader.name());
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          routes.add(rows.getString(1));
        }
      }
    }
    return routes;
  }

  /**
   * Checks that a route of a subscription is known, if any is.
   *
   * @throws ConfigurationException {@code OUT-025} if others are and it is not
   */
  public void requireRoute(Connection connection, String route) throws SQLException {
    Require.nonNull("route", route);
    Set<String> known = routes(connection);
    if (!known.isEmpty() && !known.contains(route)) {
      throw UnknownName.selectedRoute(route, reader.name(), known);
    }
  }

  /**
   * Checks that the reader still has its name.
   *
   * @throws ConfigurationException {@code OUT-037} if it was renamed
   */
  public void requireName(Connection connection) throws SQLException {
    requireNames(state(Require.nonNull("connection", connection)), Set.of());
  }

  Reader reader() {
    return reader;
  }

  String in(String text) {
    return naming.in(text);
  }

  private void requireNames(State state, Set<Declaration> has) {
    for (Renamed each : state.names()) {
      boolean isMeant =
          each.isReader() || has.stream().anyMatch(mine -> Row.isOfRoute(mine, each.route()));
      if (isMeant) {
        throw new ConfigurationException(
            ErrorCode.RENAMED,
            (each.isReader() ? "" : "route \"" + each.route() + "\" of ")
                + "%s \"%s\" was renamed to \"%s\" by %s; whoever still has the old name does"
                    .formatted(reader.kind(), reader.name(), each.to(), each.by())
                + " nothing. Deploy the version that has the new one, or rename it back");
      }
    }
  }

  record Row(Declaration declared, long revision, boolean ended) {

    boolean isOfRoute(String route) {
      return isOfRoute(declared, route);
    }

    static boolean isOfRoute(Declaration declared, String route) {
      return declared.takes() != Declaration.Takes.FILTER && declared.route().equals(route);
    }
  }

  /** That a reader or a route has another name now. */
  record Renamed(boolean isReader, String route, String to, String by) {}

  record State(
      Map<Declaration, Row> rows,
      List<Renamed> names,
      long revision,
      Map<Declaration, Duration> endedFor) {}

  State state(Connection connection) throws SQLException {
    Map<Declaration, Row> all = new LinkedHashMap<>();
    List<Renamed> names = new ArrayList<>();
    Map<Declaration, Duration> endedFor = new LinkedHashMap<>();
    long revision = 0;
    try (PreparedStatement statement = prepared(connection, ALL);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        String route = rows.getString(1);
        String takes = rows.getString(2);
        String to = rows.getString(6);
        revision = Math.max(revision, rows.getLong(4));
        if (to == null) {
          Declaration declared =
              new Declaration(route, Declaration.takes(takes), rows.getString(3));
          Row row = new Row(declared, rows.getLong(4), rows.getBoolean(5));
          all.put(declared, row);
          if (row.ended()) {
            SqlValues values = naming.values();
            endedFor.put(declared, Duration.between(values.time(rows, 8), values.time(rows, 9)));
          }
        } else if (!to.isEmpty()) {
          names.add(new Renamed(takes.equals(READER_RENAMED), route, to, rows.getString(7)));
        }
      }
    }
    return new State(all, names, revision, endedFor);
  }

  private PreparedStatement prepared(Connection connection, String sql) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(naming.in(sql));
    statement.setString(1, reader.kind());
    statement.setString(2, reader.name());
    return statement;
  }

  boolean write(Connection transaction, State before, List<Row> changed) throws SQLException {
    long revision = before.revision();
    for (Row row : changed) {
      revision++;
      String sql = before.rows().containsKey(row.declared()) ? UPDATE : INSERT;
      try (PreparedStatement statement = transaction.prepareStatement(naming.in(sql))) {
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
