// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.run;

import io.outledger.chaos.checker.Checker;
import io.outledger.chaos.database.ShopSql;
import io.outledger.chaos.history.Entry;
import io.outledger.chaos.roles.AskLog;
import io.outledger.chaos.roles.RoleSettings;
import io.outledger.jdbc.admin.Move;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.spi.VerbText;
import io.outledger.store.Start;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What operators have asked for, beside what the database has kept of it.
 *
 * @param asked what operators took down
 * @param rows the audit, by the request's id
 */
public record Audit(List<AskLog.Asked> asked, Map<UUID, Row> rows) {

  private static final Pattern TAKEN_UP = Pattern.compile("^([0-9]+) messages?: ");

  /**
   * A row of the audit.
   *
   * @param state how far the request has come
   * @param changedMs when it changed last
   * @param result what came of it, for people
   */
  record Row(RequestState state, long changedMs, String result) {}

  /**
   * How much was asked for.
   *
   * @param requests how many requests have their row
   * @param again how many of these were asked for again with the same id
   * @param replays how many replays of single messages were done
   * @param verbs how many of each verb were done, by its word
   */
  public record Counts(long requests, long again, long replays, Map<String, Long> verbs) {

    static final Counts NONE = new Counts(0, 0, 0, Map.of());
  }

  /** Reads the audit, and tells the checker each row of it. */
  static Audit read(List<AskLog.Asked> asked, ShopSql sql, Statement statement, Checker checker)
      throws SQLException {
    Map<UUID, Row> rows = new LinkedHashMap<>();
    try (ResultSet row =
        statement.executeQuery(
            "SELECT id, state, changed_at, result_text FROM outledger_request")) {
      while (row.next()) {
        RequestState state = RequestState.of(row.getString(2));
        rows.put(
            sql.id(row, 1),
            new Row(state, sql.time(row, 3).toEpochMilli(), String.valueOf(row.getString(4))));
        checker.accept(new Entry.Audited(sql.id(row, 1), state.isOver()));
      }
    }
    return new Audit(List.copyOf(asked), rows);
  }

  /**
   * Tells what was asked for.
   *
   * @param restoredMs when the database was last restored to an earlier moment
   */
  void tell(Checker checker, long restoredMs) {
    for (AskLog.Asked one : asked) {
      checker.accept(new Entry.Asked(one.id()));
      if (!one.isOpen() && one.answeredMs() <= restoredMs) {
        checker.accept(new Entry.Unasked(one.id()));
      }
    }
  }

  Counts counts() {
    return new Counts(
        asked.stream().filter(one -> rows.containsKey(one.id())).count(),
        asked.stream().filter(one -> one.times() > 1 && rows.containsKey(one.id())).count(),
        done().filter(one -> one.verb() instanceof Verb.Replay r && isOfIds(r)).count(),
        done()
            .collect(
                Collectors.groupingBy(
                    one -> VerbText.name(one.verb()), TreeMap::new, Collectors.counting())));
  }

  /** Returns the moves of the shop's subscription that were done. */
  List<Repeats.Move> moves() {
    return done()
        .filter(one -> one.verb() instanceof Move && isOfShop(one))
        .map(this::move)
        .toList();
  }

  /**
   * Returns the replays of single messages that were done.
   *
   * @param positions where the messages are
   */
  List<Repeats.Again> again(Map<UUID, Long> positions) {
    return done()
        .filter(one -> one.verb() instanceof Verb.Replay replay && isOfIds(replay))
        .map(one -> again(one, row(one), positions))
        .toList();
  }

  private Stream<AskLog.Asked> done() {
    return asked.stream()
        .filter(one -> !one.isOpen())
        .filter(one -> rows.containsKey(one.id()) && row(one).state() == RequestState.DONE);
  }

  private Row row(AskLog.Asked one) {
    return Objects.requireNonNull(rows.get(one.id()));
  }

  private Repeats.Move move(AskLog.Asked one) {
    boolean isByPosition = ((Move) one.verb()).start() instanceof Start.AtPosition;
    long position =
        isByPosition
            ? ((Start.AtPosition) ((Move) one.verb()).start()).position()
            : Repeats.SOMEWHERE;
    long endedMs = Math.max(one.answeredMs(), row(one).changedMs());
    return new Repeats.Move(one.beganMs(), endedMs, position);
  }

  private static Repeats.Again again(AskLog.Asked one, Row row, Map<UUID, Long> positions) {
    Verb.Replay replay = (Verb.Replay) one.verb();
    return new Repeats.Again(
        one.beganMs(),
        replay.range().ids().stream().map(positions::get).filter(Objects::nonNull).toList(),
        takenUp(row.result()),
        one.id() + " (" + row.result() + ")");
  }

  /** One that is parked in the route already, for another replay, is not taken up again. */
  private static int takenUp(String result) {
    Matcher said = TAKEN_UP.matcher(result);
    return said.find() ? Integer.parseInt(said.group(1)) : 0;
  }

  private static boolean isOfIds(Verb.Replay replay) {
    return !replay.range().ids().isEmpty();
  }

  private static boolean isOfShop(AskLog.Asked one) {
    return one.verb().reader().name().equals(RoleSettings.SUBSCRIPTION);
  }
}
