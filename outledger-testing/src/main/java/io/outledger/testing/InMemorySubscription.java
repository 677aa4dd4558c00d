// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.Require;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.store.CursorRow;
import io.outledger.store.KnownMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedPlace;
import io.outledger.store.PauseScope;
import io.outledger.store.Paused;
import io.outledger.store.Pauses;
import io.outledger.store.Save;
import io.outledger.store.Start;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A subscription as it stands in an in-memory ledger: what a person would see of it with SQL, and
 * what an operator may ask of its owner. Thread-safe.
 */
public final class InMemorySubscription {

  private final InMemoryLedger ledger;
  private final CursorLog cursor;
  private ParkedTable parked;
  private @Nullable KnownMessage known;
  private Pauses pauses = Pauses.NONE;

  InMemorySubscription(InMemoryLedger ledger, Frontier start) {
    this(ledger, new CursorLog(start, ledger.now()), new ParkedTable());
    this.known = ledger.identity().beside(start.high());
  }

  private InMemorySubscription(InMemoryLedger ledger, CursorLog cursor, ParkedTable parked) {
    this.ledger = ledger;
    this.cursor = cursor;
    this.parked = parked;
  }

  /** Returns the saved frontier, overflow included. */
  public Frontier frontier() {
    synchronized (ledger) {
      return cursor.frontier();
    }
  }

  /** Returns the newest row of the cursor. */
  public CursorRow newest() {
    synchronized (ledger) {
      return cursor.newest().seenAt(ledger.now());
    }
  }

  /** Returns how many rows of the cursor have not been purged. */
  public int cursorRows() {
    synchronized (ledger) {
      return cursor.size();
    }
  }

  /** Returns the parked messages, in order of position. */
  public List<ParkedRow> parked() {
    synchronized (ledger) {
      return parked.all();
    }
  }

  /**
   * Asks, as an operator would, that a dead or retrying message be tried again.
   *
   * @throws IllegalStateException if none is parked there, or more than one
   */
  public void requestRetry(long position, String route) {
    synchronized (ledger) {
      parked.request(position, route, ParkedRow.Request.RETRY);
    }
  }

  /**
   * Asks the same for one of several that have one position, since the ledger was emptied.
   *
   * @throws IllegalStateException if it is not parked there
   */
  public void requestRetry(ParkedPlace place) {
    synchronized (ledger) {
      parked.request(Require.nonNull("place", place), ParkedRow.Request.RETRY);
    }
  }

  /**
   * Asks, as an operator would, that a dead letter be discarded.
   *
   * @throws IllegalStateException if none is parked there, or more than one
   */
  public void requestDiscard(long position, String route) {
    synchronized (ledger) {
      parked.request(position, route, ParkedRow.Request.DISCARD);
    }
  }

  /**
   * Takes back what is parked of a message, in whatever state, as an operator does who erases it or
   * appends another in its place: its owner discards it.
   *
   * @param position the message's position; nothing happens where nothing is parked of it
   */
  public void withdraw(long position) {
    synchronized (ledger) {
      parked.withdraw(row -> row.position() == position);
    }
  }

  /** Takes back what is parked of one message, and not of another that had its position before. */
  void withdraw(long position, UUID id) {
    parked.withdraw(row -> row.position() == position && row.message().id().equals(id));
  }

  /**
   * Publishes settled messages once more, as an operator would: copies of them are due at once, and
   * block no key. Left out is what comes after the first message that is not settled, what was
   * erased, and what is parked in the route already.
   *
   * @param route the route in which they are published; empty for the only one
   * @param first the first position
   * @param last the last position
   * @return how many were taken up
   */
  public int replay(String route, long first, long last) {
    Require.nonNull("route", route);
    synchronized (ledger) {
      long settled = cursor.frontier().lowest() - 1;
      NavigableMap<Long, Message> range = ledger.toReplay(first, Math.min(last, settled));
      return parked.replay(route, range, ledger.now());
    }
  }

  /**
   * Moves the subscription back, as an operator would: its owner is fenced, what is to be read
   * again is no longer parked, and what the owner had not settled below stays open. What is parked
   * of a ledger that was emptied stays parked, before the messages of the new one.
   *
   * @param start where it continues
   * @throws io.outledger.ConfigurationException {@code OUT-019} if the start was purged, {@code
   *     OUT-021} if it would pass over something
   */
  public void move(Start start) {
    place(start, false);
  }

  /**
   * Passes over what is before a start, as an operator would: its owner is fenced.
   *
   * @param start where it continues
   * @throws io.outledger.ConfigurationException {@code OUT-019} if the start was purged, {@code
   *     OUT-021} if it would read something again
   */
  public void skip(Start start) {
    place(start, true);
  }

  private void place(Start start, boolean skips) {
    synchronized (ledger) {
      LedgerIdentity identity = ledger.identity();
      Frontier standing = cursor.frontier();
      boolean isAnother = identity.isAnother(standing.high(), known);
      boolean beginsAnew = skips ? identity.isReset(standing.high(), known) : isAnother;
      Frontier before = beginsAnew ? Frontier.START : standing;
      Frontier found = ledger.frontier(start);
      Frontier to = skips ? Start.afterSkip(before, found) : Start.afterMove(before, found);
      boolean stays =
          skips
              ? !Start.maySkip(start, before, found)
              : !Start.mayMove(start, found.high(), Math.max(before.high(), identity.purgedTo()));
      if (stays) {
        throw new ConfigurationException(
            ErrorCode.INVALID_CONFIGURATION,
            "the subscription has come to position %s, and %s begins after %s: %s"
                .formatted(
                    standing.high(),
                    start,
                    found.high(),
                    skips ? "a skip reads nothing again" : "a move passes over nothing; skip"));
      }
      UUID operator = new UUID(0, ledger.drawTransactionId());
      cursor.insertNext(operator, Duration.ZERO, ledger.now(), to);
      cursor.keepOverflow(cursor.overflow(), Positions.NONE);
      known = identity.beside(to.high());
      parked =
          parked
              .without(row -> row.position() > to.high() && ledger.has(row))
              .emptied(
                  row -> !ledger.has(row) && (isAnother || identity.hasAt(row.position())),
                  isAnother);
    }
  }

  /** Pauses a part of the subscription, or all of it, as an operator would. */
  public void pause(PauseScope scope, String by, String reason) {
    Paused paused = new Paused(scope, by, reason, ledger.now());
    synchronized (ledger) {
      Map<PauseScope, Paused> current = new HashMap<>(pauses.current());
      current.putIfAbsent(paused.scope(), paused);
      pauses = new Pauses(pauses.revision() + 1, current);
    }
  }

  /** Ends a pause, as an operator would. */
  public void resume(PauseScope scope) {
    Require.nonNull("scope", scope);
    synchronized (ledger) {
      Map<PauseScope, Paused> current = new HashMap<>(pauses.current());
      current.remove(scope);
      pauses = new Pauses(pauses.revision() + 1, current);
    }
  }

  /** Returns what is paused. */
  public Pauses pauses() {
    synchronized (ledger) {
      return pauses;
    }
  }

  InMemorySubscription copy() {
    InMemorySubscription copy = new InMemorySubscription(ledger, cursor.copy(), parked.copy());
    copy.known = known;
    copy.pauses = pauses;
    return copy;
  }

  @Nullable KnownMessage known() {
    return known;
  }

  CursorLog cursor() {
    return cursor;
  }

  ParkedTable parkedTable() {
    return parked;
  }

  /** Writes a save that was not fenced. What can fail comes first, so that nothing is half done. */
  void write(Save save, Instant now) {
    List<ParkedChange> changes = save.changes();
    ParkedTable changed = parked.with(changes, now);
    Frontier frontier = save.frontier();
    Frontier inRow = new Frontier(frontier.high(), frontier.open().minus(save.overflow()));
    cursor.insertNext(save.incarnation(), save.lease(), now, inRow, save.lacking());
    cursor.keepOverflow(save.overflowBefore(), save.overflow());
    parked = changed;
    known = save.known() == null ? known : save.known();
  }
}
