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
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Publishes settled messages of the ledger once more: copies them, batch by batch and in order, to
 * rows that are due, each in the partition of its key, as long as not too many of them wait. Where
 * it stands is written in the transaction that copies, so each is copied once.
 */
final class ReplayWork implements RequestWork {

  /** A step holds the lock of the ledger's retention: others wait until it has ended. */
  private static final int BATCH_MAX = 500;

  /** How many copies may wait for their owner, and how many bytes of them. */
  private static final int WAITING_MAX = 1_000;

  private static final long BYTES_MAX = 16L << 20;

  private static final long SECOND = 1_000;
  private static final int REMOVED_MAX = 1_000;

  /** A step looks at so many positions at most, however few of them fit. */
  private static final long SCANNED_MAX = 20_000;

  /** Where a rate is asked for, so often that what is taken up at once is not much. */
  private static final Duration SOON = Duration.ofMillis(50);

  /** For so long it counts as begun already, so that it begins with something. */
  private static final Duration FIRST = Duration.ofMillis(100);

  private final SubscriptionStore store;
  private final ReplayRows rows;
  private final DeclarationTable declarations;
  private final Verb.Replay verb;
  private final Function<CursorKey, ReplayRows> rowsOf;

  /** For whom its copies wait, at this step. */
  private String awaited = Awaited.OWNER;

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

  @Override
  public Optional<RequestStep> step(Connection transaction, RequestRow row) throws SQLException {
    String place = row.place();
    ReplayStand read = place == null ? begin(transaction, row) : ReplayStand.read(place);
    ReplayStand stand = read.pacedBy(row.now().toEpochMilli());
    Left left = left(transaction, row);
    if (left.waiting() > 0 && (stand.isAtEnd() || batch(row, stand, left) <= 0)) {
      awaited = Awaited.owner(transaction, store, verb.subscription(), row.now());
    }
    int failuresMax = verb.pace().failuresMax();
    if (failuresMax > 0 && left.dead() >= failuresMax) {
      return Optional.of(stop(transaction, row, because(left.dead() + " have failed again")));
    }
    if (stand.isAtEnd()) {
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
      return Optional.of(stop(transaction, row, because(lost.get())));
    }
    ReplayStand behind = stand.behind(rows.purgedTo(transaction));
    Room room = new Room(batch, left);
    ReplayStand next =
        behind.rest().isEmpty()
            ? copy(transaction, row, behind, room)
            : copyRest(transaction, row, behind, room);
    Left after =
        new Left(left.waiting() + next.copied() - stand.copied(), left.bytes(), left.dead());
    return Optional.of(
        step(
            row,
            RequestState.RUNNING,
            next,
            after,
            verb.pace().perSecond() == 0 ? Duration.ZERO : SOON));
  }

  /** Checks what can be done, and pins the end: what is settled later is published anyway. */
  private ReplayStand begin(Connection transaction, RequestRow row) throws SQLException {
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
    long from = row.now().minus(FIRST).toEpochMilli();
    long end = Math.min(verb.range().last(), settled);
    ReplayStand stand = ReplayStand.before(first, end, from);
    return purgedTo < first || !beginsBefore(rows.oldest(transaction))
        ? stand.at(Math.max(first - 1, purgedTo))
        : stand.behind(purgedTo);
  }

  /** Returns whether what is asked for begins before a time; null for one after all others. */
  private boolean beginsBefore(@Nullable Instant oldest) {
    Instant from = verb.range().from();
    return from == null || oldest == null || from.isBefore(oldest);
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
  private Optional<String> lost(Connection transaction, ReplayStand stand) throws SQLException {
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
  private int batch(RequestRow row, ReplayStand stand, Left left) {
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
  private static long from(RequestRow row, ReplayStand stand) {
    return Math.max(stand.pacedTo(), row.now().toEpochMilli() - SECOND);
  }

  private long pacedTo(RequestRow row, ReplayStand stand, int copied) {
    int perSecond = verb.pace().perSecond();
    return perSecond == 0
        ? row.now().toEpochMilli()
        : from(row, stand) + (copied * SECOND + perSecond - 1) / perSecond;
  }

  /**
   * How much may be copied now.
   *
   * @param rows at most this many
   * @param left what waits already
   */
  private record Room(int rows, Left left) {

    /** Returns the first messages that there is room for; one at least where none waits. */
    List<Fit> cut(List<Fit> fitting) {
      long bytes = left.bytes();
      int count = 0;
      for (Fit fit : fitting) {
        bytes += fit.bytes();
        if (bytes > BYTES_MAX && left.waiting() + count > 0) {
          break;
        }
        count++;
      }
      return fitting.subList(0, count);
    }
  }

  private ReplayStand copy(Connection transaction, RequestRow row, ReplayStand stand, Room room)
      throws SQLException {
    OptionalLong next = rows.next(transaction, stand.to());
    if (next.isEmpty() || next.getAsLong() > stand.end()) {
      return stand.at(stand.end());
    }
    long above = next.getAsLong() - 1;
    long upTo = Math.min(stand.end(), above + SCANNED_MAX);
    List<Fit> found = rows.fitting(transaction, verb.range(), above, upTo, room.rows());
    List<Fit> fitting = room.cut(found);
    List<Fit> copied = copyEach(transaction, row.status().id(), fitting);
    boolean hasAll = found.size() < room.rows() && fitting.size() == found.size();
    long last = fitting.isEmpty() ? above : fitting.get(fitting.size() - 1).position();
    boolean again = verb.processAgain();
    HandledRows handled = rows.handled();
    return stand
        .paced(pacedTo(row, stand, copied.size()))
        .copied(
            hasAll ? upTo : last,
            copied.size(),
            again ? 0 : handled.count(transaction, verb.route(), copied),
            again ? handled.forget(transaction, verb.route(), copied) : 0);
  }

  /**
   * Copies what a stop has taken back. Its owner may have been at work on it then: what a handler
   * has processed since it was forgotten is not forgotten again.
   */
  private ReplayStand copyRest(Connection transaction, RequestRow row, ReplayStand stand, Room room)
      throws SQLException {
    List<Long> rest = stand.rest();
    int most = Math.min(room.rows(), rest.size());
    List<Fit> found = rows.at(transaction, rest.subList(0, most));
    List<Fit> fitting = room.cut(found);
    List<Fit> copied = copyEach(transaction, row.status().id(), fitting);
    boolean hasAll = fitting.size() == found.size();
    long last = hasAll ? rest.get(most - 1) : fitting.get(fitting.size() - 1).position();
    return stand
        .with(rest.stream().filter(each -> each > last).toList())
        .paced(pacedTo(row, stand, copied.size()))
        .copied(stand.to(), copied.size(), 0, 0);
  }

  /**
   * Returns where it stands when it is resumed.
   *
   * @throws ConfigurationException if it would not go on, or stop at once
   */
  ReplayStand resumed(Connection transaction, RequestRow row, Stopping stopping)
      throws SQLException {
    ReplayStand stand = ReplayStand.read(String.valueOf(stopping.place()));
    if (stand.rest().size() < stopping.taken()) {
      throw refused("an earlier release stopped it, and did not keep what was taken back");
    }
    declarations.current(transaction).requireRoute(verb.route(), verb.subscription());
    Optional<String> lost = lost(transaction, stand);
    if (lost.isPresent()) {
      throw refused(lost.get());
    }
    long dead = left(transaction, row).dead();
    int failuresMax = verb.pace().failuresMax();
    if (failuresMax > 0 && dead >= failuresMax) {
      throw refused(
          "%s of its messages are dead letters, and it stops at %s: retry or discard them first"
              .formatted(Count.of(dead), failuresMax));
    }
    OptionalLong next = rows.next(transaction, stand.next() - 1);
    if (next.isPresent() && next.getAsLong() <= stand.end()) {
      Instant appended = rows.appendedAt(transaction, next.getAsLong());
      if (appended != null && appended.isAfter(row.status().changedAt())) {
        throw refused("the ledger was emptied since: it has other messages at its positions");
      }
    }
    return stand.resumed(stopping.taken());
  }

  private static ConfigurationException refused(String why) {
    return new ConfigurationException(
        ErrorCode.INVALID_CONFIGURATION, "the replay cannot be resumed: " + why);
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
      RequestRow row, RequestState state, ReplayStand stand, Left left, Duration next) {
    long ended = ended(row, stand.copied(), left);
    return new RequestStep(
        state,
        ended,
        stand.isAtEnd() ? stand.copied() : null,
        stand.text(),
        text(stand, ended, left).running(),
        null,
        next);
  }

  /**
   * Returns how many copies have ended; as many as before where that is not counted.
   *
   * @param copied how many copies there are or were, without those that were taken back
   */
  private static long ended(RequestRow row, long copied, Left left) {
    return Count.of(left.dead()).isMore()
        ? row.status().done()
        : Math.max(row.status().done(), copied - left.waiting() - left.dead());
  }

  private ReplayText text(ReplayStand stand, long ended, Left left) {
    return new ReplayText(verb, stand, ended, left, awaited);
  }

  private static String because(String why) {
    return "stopped, because " + why;
  }

  @Override
  public SoFar soFar(Connection transaction, RequestRow row, Stopping stopping)
      throws SQLException {
    return soFar(row, stopping, left(transaction, row));
  }

  /**
   * Returns what one that was begun has come to.
   *
   * @param left what is left of its copies, without those that were taken back
   */
  SoFar soFar(RequestRow row, Stopping stopping, Left left) {
    ReplayStand stand = ReplayStand.read(String.valueOf(stopping.place()));
    long ended = ended(row, stand.copied() - stopping.taken(), left);
    return new SoFar(ended, text(stand, ended, left).stopped(stopping.taken()));
  }

  private Left left(Connection transaction, RequestRow row) throws SQLException {
    return rows.left(transaction, row.status().id(), verb.pace().failuresCounted());
  }

  @Override
  public String without(String place, TakenBack taken) {
    return ReplayStand.read(place).without(taken.places()).text();
  }

  @Override
  public TakenBack takeBack(Connection transaction, RequestRow row) throws SQLException {
    return rows.remove(transaction, row.status().id(), REMOVED_MAX);
  }
}
