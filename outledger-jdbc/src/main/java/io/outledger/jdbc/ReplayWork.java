// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.admin.Count;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.DeclarationTable;
import io.outledger.jdbc.spi.HandledRows;
import io.outledger.jdbc.spi.ReplayRows;
import io.outledger.jdbc.spi.ReplayRows.Fit;
import io.outledger.jdbc.spi.ReplayRows.Left;
import io.outledger.jdbc.spi.RequestRow;
import io.outledger.jdbc.spi.RequestStep;
import io.outledger.jdbc.spi.SubscriptionStore;
import io.outledger.jdbc.spi.TakenBack;
import io.outledger.relay.Slots;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Function;

/**
 * Publishes settled messages of the ledger once more: copies them, batch by batch and in order, to
 * rows that are due, each in the partition of its key, as long as not too many of them wait. Where
 * it stands is written in the transaction that copies, so each is copied once.
 */
final class ReplayWork implements RequestWork {

  private static final int BATCH_MAX = 1_000;
  private static final long SECOND = 1_000;
  private static final int WAITING_MAX = 5_000;
  private static final int REMOVED_MAX = 1_000;

  /** A step looks at so many positions at most, however few of them fit. */
  private static final long SCANNED_MAX = 20_000;

  /** Where a rate is asked for, so often that what is taken up at once is not much. */
  private static final Duration SOON = Duration.ofMillis(100);

  private final SubscriptionStore store;
  private final ReplayRows rows;
  private final DeclarationTable declarations;
  private final Verb.Replay verb;
  private final Function<CursorKey, ReplayRows> rowsOf;

  /**
   * Creates it, without I/O.
   *
   * @param rowsOf those of a cursor
   */
  ReplayWork(
      SubscriptionStore store,
      Function<CursorKey, ReplayRows> rowsOf,
      DeclarationTable declarations,
      Verb.Replay verb) {
    this.store = store;
    this.rowsOf = rowsOf;
    this.rows = rowsOf.apply(CursorKey.of(verb.subscription()));
    this.declarations = declarations;
    this.verb = verb;
  }

  /**
   * Where the work stands.
   *
   * @param to everything up to this position was copied, where it fits
   * @param end the last position
   * @param copied how many were copied
   * @param pacedTo up to when the rate is used up, in milliseconds of the database's clock
   * @param known how many times a handler knew one that was copied, and passes over it
   * @param forgotten how many times one knew it and processes it again
   */
  private record Stand(long to, long end, long copied, long pacedTo, long known, long forgotten) {

    static Stand read(String place) {
      String[] parts = place.split(" ", -1);
      return new Stand(
          Long.parseLong(parts[0]),
          Long.parseLong(parts[1]),
          Long.parseLong(parts[2]),
          Long.parseLong(parts[3]),
          Long.parseLong(parts[4]),
          Long.parseLong(parts[5]));
    }

    String text() {
      return to + " " + end + " " + copied + " " + pacedTo + " " + known + " " + forgotten;
    }

    Stand at(long newTo) {
      return new Stand(newTo, end, copied, pacedTo, known, forgotten);
    }
  }

  @Override
  public Optional<RequestStep> step(Connection transaction, RequestRow row) throws SQLException {
    String place = row.place();
    Stand stand = place == null ? begin(transaction, row) : Stand.read(place);
    Left left = rows.left(transaction, row.status().id(), verb.pace().failuresCounted());
    int failuresMax = verb.pace().failuresMax();
    if (failuresMax > 0 && left.dead() >= failuresMax) {
      return Optional.of(stopping(transaction, row, stand, left.dead() + " have failed again"));
    }
    if (stand.to() >= stand.end()) {
      boolean isOver = left.waiting() == 0;
      return Optional.of(
          step(row, isOver ? RequestState.DONE : RequestState.RUNNING, stand, left, SOON));
    }
    int batch = batch(row, stand, left);
    if (batch <= 0) {
      return Optional.of(step(row, RequestState.RUNNING, stand, left, SOON));
    }
    Optional<String> lost = lost(transaction, stand);
    if (lost.isPresent()) {
      return Optional.of(stopping(transaction, row, stand, lost.get()));
    }
    Stand next = copy(transaction, row, stand, batch);
    Left after = new Left(left.waiting() + next.copied() - stand.copied(), left.dead());
    return Optional.of(
        step(
            row,
            RequestState.RUNNING,
            next,
            after,
            verb.pace().perSecond() == 0 ? Duration.ZERO : SOON));
  }

  /** Checks what can be done, and pins the end: what is settled later is published anyway. */
  private Stand begin(Connection transaction, RequestRow row) throws SQLException {
    long settled = lockSettled(transaction);
    declarations.current(transaction).requireRoute(verb.route(), verb.subscription());
    long purgedTo = rows.purgedTo(transaction);
    long first = verb.range().first();
    if (first > 1 && first <= purgedTo) {
      throw new ConfigurationException(
          ErrorCode.POSITION_PURGED,
          "cannot replay from position %s: retention has removed the messages up to %s; begin at %s"
              .formatted(first, purgedTo, purgedTo + 1));
    }
    if (first > settled) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "nothing to replay: subscription \"%s\" has settled all up to position %s; its relay"
                  .formatted(verb.subscription(), settled)
              + " publishes what is above by itself");
    }
    return new Stand(
        Math.max(first - 1, purgedTo),
        Math.min(verb.range().last(), settled),
        0,
        row.now().minus(SOON).toEpochMilli(),
        0,
        0);
  }

  /** Returns up to where each partition has settled all, which stays so. */
  private long lockSettled(Connection transaction) throws SQLException {
    long lowest = Long.MAX_VALUE;
    for (CursorKey key : store.cursors(transaction, verb.subscription())) {
      lowest = Math.min(lowest, store.lockPlace(transaction, key).lowest());
    }
    return lowest - 1;
  }

  /**
   * Returns why the rest cannot be copied; empty if it can. A copy of a message that is not settled
   * would stand in its way, and one of another ledger's was never asked for. It stays so until the
   * transaction ends.
   */
  private Optional<String> lost(Connection transaction, Stand stand) throws SQLException {
    try {
      long settled = lockSettled(transaction);
      return settled >= stand.end()
          ? Optional.empty()
          : Optional.of(
              "the subscription was moved or made again: it has settled all up to position %s alone"
                  .formatted(settled));
    } catch (ConfigurationException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Returns how many may be copied now: by the time since the last were, and that is 1 s at most.
   */
  private int batch(RequestRow row, Stand stand, Left left) {
    long room = WAITING_MAX - left.waiting();
    int perSecond = verb.pace().perSecond();
    return (int)
        Math.min(
            room,
            perSecond == 0
                ? BATCH_MAX
                : perSecond * (row.now().toEpochMilli() - from(row, stand)) / SECOND);
  }

  /** Returns from when on the rate is not used up; time without an owner makes no burst. */
  private static long from(RequestRow row, Stand stand) {
    return Math.max(stand.pacedTo(), row.now().toEpochMilli() - SECOND);
  }

  private long pacedTo(RequestRow row, Stand stand, int copied) {
    int perSecond = verb.pace().perSecond();
    return perSecond == 0
        ? row.now().toEpochMilli()
        : from(row, stand) + (copied * SECOND + perSecond - 1) / perSecond;
  }

  private Stand copy(Connection transaction, RequestRow row, Stand stand, int batch)
      throws SQLException {
    OptionalLong next = rows.next(transaction, stand.to());
    if (next.isEmpty() || next.getAsLong() > stand.end()) {
      return stand.at(stand.end());
    }
    long above = next.getAsLong() - 1;
    long upTo = Math.min(stand.end(), above + SCANNED_MAX);
    List<Fit> fitting = rows.fitting(transaction, verb.range(), above, upTo, batch);
    List<Fit> copied = copyEach(transaction, row.status().id(), fitting);
    long to = fitting.size() < batch ? upTo : fitting.get(fitting.size() - 1).position();
    boolean again = verb.processAgain();
    HandledRows handled = rows.handled();
    return new Stand(
        to,
        stand.end(),
        stand.copied() + copied.size(),
        pacedTo(row, stand, copied.size()),
        stand.known() + (again ? 0 : handled.count(transaction, verb.route(), copied)),
        stand.forgotten() + (again ? handled.forget(transaction, verb.route(), copied) : 0));
  }

  private List<Fit> copyEach(Connection transaction, UUID request, List<Fit> fitting)
      throws SQLException {
    List<CursorKey> keys = store.cursors(transaction, verb.subscription());
    Slots slots = new Slots(keys.size());
    Map<CursorKey, List<Fit>> parts = new LinkedHashMap<>();
    for (Fit fit : fitting) {
      CursorKey key = keys.get(slots.of(fit.key(), fit.id()));
      parts.computeIfAbsent(key, each -> new ArrayList<>()).add(fit);
    }
    List<Fit> copied = new ArrayList<>();
    for (Map.Entry<CursorKey, List<Fit>> part : parts.entrySet()) {
      ReplayRows own = rowsOf.apply(part.getKey());
      copied.addAll(own.copy(transaction, request, verb.route(), part.getValue()));
    }
    return copied;
  }

  private RequestStep step(
      RequestRow row, RequestState state, Stand stand, Left left, Duration next) {
    Count dead = Count.of(left.dead());
    long published =
        dead.isMore()
            ? row.status().done()
            : Math.max(row.status().done(), stand.copied() - left.waiting() - left.dead());
    String where = stand.to() >= stand.end() ? "" : ", up to position " + stand.to();
    return new RequestStep(
        state,
        published,
        stand.to() >= stand.end() ? stand.copied() : null,
        stand.text(),
        text(stand, where)
            + (": %s ended, %s wait for their owner, %s are dead letters;"
                    + " its handlers know %s and forgot %s")
                .formatted(
                    dead.isMore() ? "some" : published,
                    left.waiting(),
                    dead,
                    stand.known(),
                    stand.forgotten()),
        null,
        next);
  }

  private String text(Stand stand, String where) {
    int ids = verb.range().ids().size();
    return stand.copied() + " taken up" + (ids == 0 ? "" : " of " + ids + " ids") + where;
  }

  private RequestStep stopping(Connection transaction, RequestRow row, Stand stand, String why)
      throws SQLException {
    return RequestStep.stopping(
        takeBack(transaction, row),
        row.status().done(),
        null,
        "stopped after %s were taken up, because %s".formatted(stand.copied(), why));
  }

  @Override
  public TakenBack takeBack(Connection transaction, RequestRow row) throws SQLException {
    return rows.remove(transaction, row.status().id(), REMOVED_MAX);
  }
}
