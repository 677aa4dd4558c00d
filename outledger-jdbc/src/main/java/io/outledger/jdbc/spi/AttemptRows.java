// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import io.outledger.store.FailedAttempt;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedPlace;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The failed attempts at what a subscription has parked, beside the parked rows: the same on every
 * database. A foreign key removes them with their row. Thread-safe.
 */
public final class AttemptRows {

  private static final String AT =
      "subscription = ? AND partition_no = ? AND position = ? AND route = ? AND id = ?";

  // The primary key: those between the first and the last, and what is left where the message was
  // parked before.
  private static final String CLEAR =
      """
      DELETE FROM {schema}.outledger_attempt
       WHERE %s AND (attempt_no %s ? OR (attempt_no > %s AND attempt_no <= ?))\
      """;

  private static final String INTO =
      """
      INSERT INTO {schema}.outledger_attempt
             (subscription, partition_no, position, route, id, attempt_no, failed_at, took_millis,
              error)
      """;

  // The primary key. Number, time and error are those of the row that was just written; where it is
  // gone there is nothing to note.
  private static final String NOTE =
      """
      SELECT subscription, partition_no, position, route, id, attempts, changed_at,
             CAST(? AS {bigint}), error
        FROM {schema}.outledger_parked WHERE %s\
      """
          .formatted(AT);

  // The primary key. Where parked rows were removed by somebody else, attempts may be left.
  private static final String NOT_NOTED =
      """
       AND NOT EXISTS
           (SELECT 1 FROM {schema}.outledger_attempt a
             WHERE a.subscription = outledger_parked.subscription
               AND a.partition_no = outledger_parked.partition_no
               AND a.position = outledger_parked.position
               AND a.route = outledger_parked.route
               AND a.id = outledger_parked.id
               AND a.attempt_no = outledger_parked.attempts)\
      """;

  /** How many are noted by one statement; databases bound the selections of a union. */
  private static final int NOTED_MAX = 50;

  private final SqlNaming naming;
  private final CursorKey key;
  private final @Nullable String clear;
  private final @Nullable String together;

  /**
   * Creates it, without I/O.
   *
   * @param naming the words of its schema
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public AttemptRows(SqlNaming naming, CursorKey key) {
    this.naming = Require.nonNull("naming", naming);
    this.key = Require.nonNull("key", key);
    this.clear = Require.nonNull("naming", naming).in(clear(">="));
    this.together = null;
  }

  /**
   * Creates it for a database that deletes and inserts in one statement, which saves a round trip.
   *
   * @param naming the words of its schema
   * @param together such a statement: <code>%s</code> stands for the deletion and then for the
   *     insertion, and a row of the same number is replaced
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public AttemptRows(SqlNaming naming, CursorKey key, String together) {
    this.naming = Require.nonNull("naming", naming);
    this.key = Require.nonNull("key", key);
    this.clear = null;
    String text = Require.nonNull("together", together).formatted(clear(">"), INTO + NOTE);
    this.together = Require.nonNull("naming", naming).in(text);
  }

  private static String clear(String from) {
    return CLEAR.formatted(AT, from, FailedAttempt.FIRST_KEPT);
  }

  /** The attempt at a row that a save has changed. */
  private record Made(ParkedPlace place, int number, @Nullable Duration took, boolean mayClear) {

    static @Nullable Made of(ParkedChange change) {
      if (change instanceof ParkedChange.Park park) {
        return of(change, park.message().attempts(), park.attempt(), true);
      }
      return change instanceof ParkedChange.Fail fail
          ? of(change, fail.attempts(), fail.attempt(), false)
          : null;
    }

    private static @Nullable Made of(
        ParkedChange change, int number, @Nullable FailedAttempt attempt, boolean isFirst) {
      boolean mayClear = isFirst || number > FailedAttempt.FIRST_KEPT + FailedAttempt.LAST_KEPT;
      return attempt == null
          ? null
          : new Made(ParkedPlace.of(change), number, attempt.took(), mayClear);
    }
  }

  /**
   * Notes the attempts of a save, in its transaction, after its changes were made: some statements
   * for all of them. Of several at one row, which no relay makes between two saves, the last.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public void note(Connection transaction, List<ParkedChange> changes) throws SQLException {
    note(transaction, changes, Set.of());
  }

  /**
   * Does the same where it is known which rows are new.
   *
   * @param inserted the places that had no row before these changes, and so no attempts
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public void note(Connection transaction, List<ParkedChange> changes, Set<ParkedPlace> inserted)
      throws SQLException {
    Require.nonNull("transaction", transaction);
    Require.nonNull("inserted", inserted);
    Map<ParkedPlace, Made> all = new LinkedHashMap<>();
    for (ParkedChange change : Require.nonNull("changes", changes)) {
      Made made = Made.of(change);
      if (made != null) {
        all.put(made.place(), made);
      }
    }
    if (together != null) {
      run(
          transaction,
          together,
          all.values(),
          (to, each) -> bindNote(to, bindClear(to, each), each));
    }
    if (clear != null) {
      List<Made> old =
          all.values().stream()
              .filter(each -> each.mayClear() && !inserted.contains(each.place()))
              .toList();
      run(transaction, clear, old, this::bindClear);
      insert(transaction, List.copyOf(all.values()));
    }
  }

  private void insert(Connection transaction, List<Made> all) throws SQLException {
    for (int from = 0; from < all.size(); from += NOTED_MAX) {
      List<Made> part = all.subList(from, Math.min(all.size(), from + NOTED_MAX));
      String note = NOTE + NOT_NOTED;
      String sql = INTO + String.join("\nUNION ALL\n", Collections.nCopies(part.size(), note));
      try (PreparedStatement statement = transaction.prepareStatement(naming.in(sql))) {
        int at = 1;
        for (Made each : part) {
          at = bindNote(statement, at, each);
        }
        statement.executeUpdate();
      }
    }
  }

  private void run(
      Connection transaction, String sql, Collection<Made> all, SqlValues.Binder<Made> binder)
      throws SQLException {
    if (all.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = transaction.prepareStatement(sql)) {
      naming.values().insertEach(statement, all, binder);
    }
  }

  private int bindClear(PreparedStatement statement, Made each) throws SQLException {
    int next = bind(statement, 1, each.place());
    statement.setInt(next, each.number());
    statement.setInt(next + 1, each.number() - FailedAttempt.LAST_KEPT);
    return next + 2;
  }

  private int bindNote(PreparedStatement statement, int from, Made each) throws SQLException {
    if (each.took() == null) {
      statement.setNull(from, Types.BIGINT);
    } else {
      statement.setLong(from, each.took().toMillis());
    }
    return bind(statement, from + 1, each.place());
  }

  private int bind(PreparedStatement statement, int from, ParkedPlace place) throws SQLException {
    int next = key.bind(statement, from);
    statement.setLong(next, place.position());
    statement.setString(next + 1, place.route());
    naming.values().bind(statement, next + 2, place.id());
    return next + 3;
  }
}
