// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.store.Division;
import io.outledger.store.PauseScope;
import io.outledger.store.Paused;
import io.outledger.store.Pauses;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What of each subscription is paused, in the table {@code outledger_pause}, the same on every
 * database. Every method works in the caller's transaction. Thread-safe.
 *
 * <p>A change takes the revision after the highest that it sees. Of two at the same time both want
 * the same, so the second fails with {@link ErrorClass#DUPLICATE_KEY} and is done again: revisions
 * become visible in their order. The row of the last change stays, also of a pause that has ended.
 */
public final class PauseTable {

  /** The most pauses that a subscription may have at once. */
  public static final int PAUSES_MAX = 1_000;

  /**
   * The kind of the row that says that a subscription is being divided: no pause, but seen like
   * one, by the revision in the snapshot of a page. Its name has the number and the position.
   */
  private static final String DIVIDED = "partitions";

  // A range of the primary key.
  private static final String ALL =
      """
      SELECT x.scope_kind, x.scope_name, x.revision, x.ended, x.paused_by, x.reason, x.paused_at
        FROM {schema}.outledger_pause x WHERE x.subscription = ?\
      """;

  // The primary key, in its order.
  private static final String HOLDING =
      """
      SELECT x.scope_kind, x.scope_name, x.paused_by, x.reason, x.paused_at, x.subscription
        FROM {schema}.outledger_pause x WHERE NOT x.ended AND x.scope_kind <> 'partitions'\
      """;

  // A range of the primary key.
  private static final String DIVISION =
      """
      SELECT x.scope_name FROM {schema}.outledger_pause x
       WHERE x.subscription = ? AND x.scope_kind = 'partitions' AND NOT x.ended\
      """;
  private static final String REMOVE_DIVISION =
      "DELETE FROM {schema}.outledger_pause WHERE subscription = ? AND scope_kind = 'partitions'";

  // The last step of a unique index.
  private static final String REVISION =
      "SELECT MAX(x.revision) FROM {schema}.outledger_pause x WHERE x.subscription = ?";

  // The primary key.
  private static final String REMOVE =
      """
      DELETE FROM {schema}.outledger_pause
       WHERE subscription = ? AND scope_kind = ? AND scope_name = ?\
      """;
  private static final String INSERT =
      """
      INSERT INTO {schema}.outledger_pause
             (subscription, scope_kind, scope_name, revision, ended, paused_by, reason, paused_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, {now})\
      """;

  // A range of the primary key.
  private static final String REMOVE_ENDED =
      "DELETE FROM {schema}.outledger_pause WHERE subscription = ? AND ended AND revision < ?";
  private static final String FORGET =
      "DELETE FROM {schema}.outledger_pause WHERE subscription = ?";

  private final SqlNaming naming;

  /**
   * Creates it, without I/O.
   *
   * @param naming the words of its schema
   * @throws ConfigurationException {@code OUT-021} if it is null
   */
  public PauseTable(SqlNaming naming) {
    this.naming = Require.nonNull("naming", naming);
  }

  /** Returns what is paused now. */
  public Pauses current(Connection transaction, String subscription) throws SQLException {
    Map<PauseScope, Paused> current = new LinkedHashMap<>();
    Division division = null;
    long revision = 0;
    try (PreparedStatement statement = prepared(transaction, ALL, subscription);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        revision = Math.max(revision, rows.getLong(3));
        if (rows.getBoolean(4)) {
          continue;
        }
        if (rows.getString(1).equals(DIVIDED)) {
          division = Division.of(rows.getString(2));
        } else {
          Paused paused = paused(rows, 5);
          current.put(paused.scope(), paused);
        }
      }
    }
    return new Pauses(revision, current, division);
  }

  /** Returns into how many partitions a subscription is being divided; empty where it is not. */
  public Optional<Division> division(Connection transaction, String subscription)
      throws SQLException {
    try (PreparedStatement statement = prepared(transaction, DIVISION, subscription);
        ResultSet row = statement.executeQuery()) {
      return row.next() ? Optional.of(Division.of(row.getString(1))) : Optional.empty();
    }
  }

  /**
   * Notes that a subscription is being divided, in place of what was noted, or that it is no more.
   *
   * @param division null for no more
   * @param by who has asked for it
   * @param reason why
   */
  public void divide(
      Connection transaction,
      String subscription,
      @Nullable Division division,
      String by,
      String reason)
      throws SQLException {
    Require.nonNull("by", by);
    Require.nonNull("reason", reason);
    long revision = revision(transaction, subscription) + 1;
    try (PreparedStatement statement = prepared(transaction, REMOVE_DIVISION, subscription)) {
      statement.executeUpdate();
    }
    String name = division == null ? "" : division.stored();
    Change change = new Change(DIVIDED, name, division == null, by, reason);
    insert(transaction, subscription, revision, change);
  }

  /**
   * Returns what is paused now, by subscription, in the order of the kinds and names of scopes.
   *
   * @param subscription of one alone; null for all
   * @param limit at most this many pauses
   */
  public Map<String, List<Paused>> holding(
      Connection transaction, @Nullable String subscription, int limit) throws SQLException {
    Require.nonNull("transaction", transaction);
    Map<String, List<Paused>> holding = new HashMap<>();
    String sql =
        HOLDING
            + (subscription == null ? "" : " AND x.subscription = ?")
            + " ORDER BY x.subscription, x.scope_kind, x.scope_name LIMIT ?";
    try (PreparedStatement statement = transaction.prepareStatement(naming.in(sql))) {
      int at = 1;
      if (subscription != null) {
        statement.setString(at++, subscription);
      }
      statement.setInt(at, limit);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          holding
              .computeIfAbsent(rows.getString(6), each -> new ArrayList<>())
              .add(paused(rows, 3));
        }
      }
    }
    return holding;
  }

  private Paused paused(ResultSet row, int by) throws SQLException {
    return new Paused(
        new PauseScope(PauseScope.Kind.of(row.getString(1)), row.getString(2)),
        row.getString(by),
        row.getString(by + 1),
        naming.values().time(row, by + 2));
  }

  /**
   * Pauses something, unless it is paused.
   *
   * @return the pause that was there before; it stays
   * @throws ConfigurationException {@code OUT-021} if {@value #PAUSES_MAX} other pauses hold
   */
  public Optional<Paused> pause(
      Connection transaction, String subscription, PauseScope scope, String by, String reason)
      throws SQLException {
    Require.nonNull("scope", scope);
    Require.nonNull("by", by);
    Require.nonNull("reason", reason);
    Pauses before = current(transaction, subscription);
    Paused there = before.current().get(scope);
    if (there == null) {
      if (before.current().size() >= PAUSES_MAX) {
        throw new ConfigurationException(
            ErrorCode.INVALID_CONFIGURATION,
            "subscription \""
                + subscription
                + "\" has "
                + PAUSES_MAX
                + " pauses, which is the limit: resume some, or pause a topic or a route");
      }
      Change change = Change.of(scope, false, by, reason);
      write(transaction, subscription, before.revision() + 1, change);
    }
    return Optional.ofNullable(there);
  }

  /**
   * Ends a pause.
   *
   * @return the pause; empty where nothing was paused
   */
  public Optional<Paused> resume(
      Connection transaction, String subscription, PauseScope scope, String by, String reason)
      throws SQLException {
    Require.nonNull("scope", scope);
    Require.nonNull("by", by);
    Require.nonNull("reason", reason);
    Pauses before = current(transaction, subscription);
    Paused there = before.current().get(scope);
    if (there != null) {
      Change change = Change.of(scope, true, by, reason);
      write(transaction, subscription, before.revision() + 1, change);
    }
    return Optional.ofNullable(there);
  }

  /** Returns the revision of what is paused, or 0. */
  public long revision(Connection transaction, String subscription) throws SQLException {
    try (PreparedStatement statement = prepared(transaction, REVISION, subscription);
        ResultSet row = statement.executeQuery()) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  /** Forgets the pauses of a subscription that is deleted. */
  public void forget(Connection transaction, String subscription) throws SQLException {
    try (PreparedStatement statement = prepared(transaction, FORGET, subscription)) {
      statement.executeUpdate();
    }
  }

  private record Change(String kind, String name, boolean ended, String by, String reason) {

    static Change of(PauseScope scope, boolean ended, String by, String reason) {
      return new Change(scope.kind().stored(), scope.name(), ended, by, reason);
    }
  }

  private void write(Connection transaction, String subscription, long revision, Change change)
      throws SQLException {
    try (PreparedStatement statement = prepared(transaction, REMOVE, subscription)) {
      statement.setString(2, change.kind());
      statement.setString(3, change.name());
      statement.executeUpdate();
    }
    insert(transaction, subscription, revision, change);
  }

  private void insert(Connection transaction, String subscription, long revision, Change change)
      throws SQLException {
    try (PreparedStatement statement = prepared(transaction, INSERT, subscription)) {
      statement.setString(2, change.kind());
      statement.setString(3, change.name());
      statement.setLong(4, revision);
      statement.setBoolean(5, change.ended());
      statement.setString(6, change.by());
      statement.setString(7, change.reason());
      statement.executeUpdate();
    }
    try (PreparedStatement statement = prepared(transaction, REMOVE_ENDED, subscription)) {
      statement.setLong(2, revision);
      statement.executeUpdate();
    }
  }

  private PreparedStatement prepared(Connection transaction, String sql, String subscription)
      throws SQLException {
    PreparedStatement statement =
        Require.nonNull("transaction", transaction).prepareStatement(naming.in(sql));
    statement.setString(1, Require.nonNull("subscription", subscription));
    return statement;
  }
}
