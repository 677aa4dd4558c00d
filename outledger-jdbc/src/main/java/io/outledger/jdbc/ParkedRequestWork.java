// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.admin.Count;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.ParkedRequest;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.Which;
import io.outledger.jdbc.spi.NotedPlaces;
import io.outledger.jdbc.spi.ParkedNotes;
import io.outledger.jdbc.spi.ParkedNotes.Filter;
import io.outledger.jdbc.spi.ParkedNotes.Left;
import io.outledger.jdbc.spi.ParkedNotes.Note;
import io.outledger.jdbc.spi.RequestRow;
import io.outledger.jdbc.spi.RequestStep;
import io.outledger.jdbc.spi.TakenBack;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Retries or discards parked messages: notes the request at them, batch by batch, for their owner
 * to carry out, and then tells what becomes of them.
 *
 * @param <P> where a message is parked
 */
final class ParkedRequestWork<P> implements RequestWork {

  private static final int BATCH_MAX = 1_000;
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final String WAIT = " wait for ";

  private final ParkedNotes<P> notes;
  private final Parts<P> parts;
  private final ParkedRequest what;
  private final Which which;
  private final Pace pace;

  /**
   * What depends on whose messages they are.
   *
   * @param <P> where a message is parked
   */
  interface Parts<P> {

    /** Returns the place of the one message that is meant; null where all that fit are. */
    @Nullable P one(Which which);

    /** Returns a place as a text. */
    String text(P place);

    /** Reads a place. */
    P place(String text);

    /** Checks that the reader, and the route that was selected, are there. */
    void requireKnown(Connection transaction, Which which) throws SQLException;

    /** Returns for whom they wait, for people. */
    String awaited(Connection transaction, Instant now) throws SQLException;
  }

  ParkedRequestWork(
      ParkedNotes<P> notes, Parts<P> parts, ParkedRequest what, Which which, Pace pace) {
    this.notes = notes;
    this.parts = parts;
    this.what = what;
    this.which = which;
    this.pace = pace;
  }

  /**
   * Where the work stands.
   *
   * @param noted at how many messages the request was noted
   * @param after the place of the last one that was looked at, as a text; empty where there is none
   * @param hasAll whether it was noted at all of them
   */
  private record Stand(long noted, String after, boolean hasAll) {

    static Stand of(@Nullable String place) {
      if (place == null) {
        return new Stand(0, "", false);
      }
      String[] parts = place.split(" ", 3);
      return new Stand(Long.parseLong(parts[0]), parts[2], parts[1].equals("all"));
    }

    String text() {
      return noted + (hasAll ? " all " : " some ") + after;
    }
  }

  @Override
  public Optional<RequestStep> step(Connection transaction, RequestRow row) throws SQLException {
    Stand stand = Stand.of(row.place());
    Left left = left(transaction, row);
    if (pace.failuresMax() > 0 && left.failed() >= pace.failuresMax()) {
      String why = "stopped, because " + Count.of(left.failed()) + " have failed again";
      return Optional.of(stop(transaction, row, why));
    }
    if (!stand.hasAll()) {
      return Optional.of(note(transaction, row, stand));
    }
    boolean isOver = left.waiting() == 0;
    return Optional.of(
        new RequestStep(
            isOver ? RequestState.DONE : RequestState.RUNNING,
            done(row, stand, left),
            stand.noted(),
            stand.text(),
            text(transaction, row, stand, left),
            null,
            LOOK));
  }

  private Left left(Connection transaction, RequestRow row) throws SQLException {
    return notes.left(transaction, row.status().id(), pace.failuresCounted());
  }

  /** Returns how many are done: as many as before where too many wait to be counted. */
  private static long done(RequestRow row, Stand stand, Left left) {
    return Count.of(left.waiting()).isMore()
        ? row.status().done()
        : Math.max(row.status().done(), stand.noted() - left.waiting());
  }

  private RequestStep note(Connection transaction, RequestRow row, Stand before)
      throws SQLException {
    Note note = new Note(row.status().id(), what);
    P one = parts.one(which);
    Stand stand =
        one == null ? noteNext(transaction, row, note, before) : noteOne(transaction, note, one);
    if (stand.hasAll() && stand.noted() == 0) {
      parts.requireKnown(transaction, which);
      return RequestStep.nothing(
          "no parked message fits that is dead or retrying; nothing was asked for");
    }
    Left left = left(transaction, row);
    return new RequestStep(
        RequestState.RUNNING,
        done(row, stand, left),
        stand.noted(),
        stand.text(),
        text(transaction, row, stand, left),
        null,
        stand.hasAll() ? LOOK : untilNextBatch());
  }

  private Stand noteOne(Connection transaction, Note note, P one) throws SQLException {
    boolean isThere = notes.note(transaction, note, one);
    return new Stand(isThere ? 1 : 0, parts.text(one), true);
  }

  private Stand noteNext(Connection transaction, RequestRow row, Note note, Stand before)
      throws SQLException {
    Which.Selected selected = (Which.Selected) which;
    Instant until = selected.parkedUntil();
    Filter filter =
        new Filter(selected.selection(), until == null ? row.status().askedAt() : until);
    Long shown = selected.shown();
    if (shown != null && before.after().isEmpty()) {
      requireAsShown(transaction, filter, shown);
    }
    P after = before.after().isEmpty() ? notes.first() : parts.place(before.after());
    int limit = batch();
    NotedPlaces<P> noted = notes.noteNext(transaction, note, filter, after, limit);
    long all = before.noted() + noted.places().size();
    return new Stand(all, parts.text(noted.last()), noted.isEnd());
  }

  private void requireAsShown(Connection transaction, Filter filter, long shown)
      throws SQLException {
    long count = notes.count(transaction, filter, shown + 1);
    if (count > shown) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "more messages fit by now than the "
              + shown
              + " that were shown; nothing was changed. Look again, and ask for what you see then");
    }
  }

  /** The rows that were taken back stay, and are counted among those that wait. */
  @Override
  public SoFar soFar(Connection transaction, RequestRow row, Stopping stopping)
      throws SQLException {
    Stand stand = Stand.of(stopping.place());
    Left left = left(transaction, row);
    long others = left.waiting() - stopping.taken();
    boolean isAnyLeft = others > 0 && !Count.of(left.waiting()).isMore();
    String rest =
        stopping.taken()
            + " are left as they were"
            + (isAnyLeft ? ", " + others + WAIT + Awaited.OWNER : "");
    return new SoFar(done(row, stand, left), text(stand.noted(), left, rest));
  }

  @Override
  public TakenBack takeBack(Connection transaction, RequestRow row) throws SQLException {
    return notes.takeBack(transaction, row.status().id(), BATCH_MAX);
  }

  private int batch() {
    return pace.perSecond() == 0 ? BATCH_MAX : Math.min(BATCH_MAX, pace.perSecond());
  }

  private Duration untilNextBatch() {
    return pace.perSecond() == 0
        ? Duration.ZERO
        : Duration.ofNanos(1_000_000_000L * batch() / pace.perSecond());
  }

  private String text(Connection transaction, RequestRow row, Stand stand, Left left)
      throws SQLException {
    String whom = left.waiting() == 0 ? Awaited.OWNER : parts.awaited(transaction, row.now());
    return text(stand.noted(), left, Count.of(left.waiting()) + WAIT + whom);
  }

  private String text(long noted, Left left, String rest) {
    Count waiting = Count.of(left.waiting());
    Count failed = Count.of(left.failed());
    String ended =
        waiting.isMore() || failed.isMore()
            ? "some"
            : String.valueOf(
                noted - waiting.number() - (what == ParkedRequest.RETRY ? failed.number() : 0));
    String text =
        what == ParkedRequest.RETRY
            ? "%s asked for: %s came through or went to a later request, %s failed again, "
                .formatted(noted, ended, failed)
            : "%s asked for: %s are gone or went to a later request, ".formatted(noted, ended);
    return text + rest;
  }
}
