// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedFailure;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The parked rows of one route: what becomes of a row is told here, and nowhere else. Each
 * transition tells the row's key, the rows underway, and the next save.
 *
 * <pre>
 *  from        transition   to
 *  NONE        park         RETRYING, HELD, DEAD
 *  any parked  bringBack    UNDERWAY
 *  UNDERWAY    park         RETRYING, HELD, DEAD
 *  UNDERWAY    putBack      RETRYING, HELD, DEAD, as it was
 *  UNDERWAY    end          NONE
 *  any parked  discard      NONE
 * </pre>
 */
final class ParkedRows {

  private final String route;
  private final PendingSave pendingSave;
  private final KeyBlocks keys = new KeyBlocks();
  private final ReturningRows returning;

  ParkedRows(String route, PendingSave pendingSave, ReturningRows returning) {
    this.route = route;
    this.pendingSave = pendingSave;
    this.returning = returning;
  }

  /** Returns the keys that the rows block. */
  KeyBlocks keys() {
    return keys;
  }

  /** Returns what says how many rows may be underway. */
  ReturningRows returning() {
    return returning;
  }

  /**
   * Parks a message, which settles it for the route, or parks one again that was brought back. Only
   * the first row of a key is waited for: others would overtake those before them, so they are
   * held.
   *
   * @return how it was parked
   */
  ParkedFailure park(Delivery delivery, ParkedFailure failure) {
    String key = delivery.key();
    boolean mayBlock = key != null && (delivery.parked() == null || delivery.blocksKey());
    boolean isBehind =
        mayBlock
            && failure.blocks()
            && keys.isBehindAny(String.valueOf(key), delivery.place(), delivery.parked() == null);
    ParkedFailure as = isBehind ? failure.behindAnother() : failure;
    boolean blocks = mayBlock && as.blocks();
    pendingSave.change(change(delivery, as, blocks));
    if (delivery.parked() == null) {
      pendingSave.settledByRoute(delivery.origin());
    }
    move(delivery, stateOf(delivery), RowState.of(as.state()), blocks);
    return as;
  }

  private ParkedChange change(Delivery delivery, ParkedFailure as, boolean blocks) {
    LedgerMessage origin = delivery.origin();
    boolean isTriedByItself = as.state() == ParkedState.RETRYING && !as.isUntilResumed();
    Duration retryIn = isTriedByItself ? as.delay() : null;
    if (delivery.parked() == null) {
      ParkedMessage row =
          new ParkedMessage(
              origin.position(),
              route,
              origin.message(),
              as.state(),
              as.attempts(),
              blocks,
              origin.unreadable(),
              false,
              0,
              null);
      return new ParkedChange.Park(row, as.reason(), retryIn, as.attempt());
    }
    return new ParkedChange.Fail(
        origin.position(),
        route,
        origin.message().id(),
        as.state(),
        blocks,
        as.attempts(),
        String.valueOf(as.reason()),
        retryIn,
        as.attempt());
  }

  /** Brings a row back, to be tried or passed over. */
  void bringBack(Delivery row) {
    move(row, stateInTable(row), RowState.UNDERWAY, row.blocksKey());
  }

  /** Puts a row back where it was, because it must not be tried now: nothing is written. */
  void putBack(Delivery row) {
    returning.putBack(row);
    moveInKey(row, RowState.UNDERWAY, stateInTable(row), row.blocksKey());
  }

  /** Removes a row whose message was published at last, or is not wanted any more. */
  void end(Delivery row) {
    UUID id = row.origin().message().id();
    pendingSave.change(new ParkedChange.Remove(row.position(), route, id, false));
    move(row, RowState.UNDERWAY, RowState.NONE, false);
  }

  /** Removes the row of a message that an operator has discarded or withdrawn. */
  void discard(ParkedMessage row) {
    UUID id = row.message().id();
    pendingSave.change(new ParkedChange.Remove(row.position(), route, id, true));
    String key = row.message().key();
    if (row.blocks() && key != null) {
      keys.move(key, Place.of(row), RowState.of(row.state()), RowState.NONE);
    }
  }

  private static RowState stateOf(Delivery delivery) {
    return delivery.parked() == null ? RowState.NONE : RowState.UNDERWAY;
  }

  private static RowState stateInTable(Delivery row) {
    return row.parked() == null ? RowState.NONE : RowState.of(row.parked().state());
  }

  private void move(Delivery delivery, RowState from, RowState to, boolean blocks) {
    returning.move(delivery, from, to);
    moveInKey(delivery, from, to, blocks);
  }

  private void moveInKey(Delivery delivery, RowState from, RowState to, boolean blocks) {
    @Nullable String key = delivery.key();
    if (key != null) {
      RowState before = delivery.blocksKey() ? from : RowState.NONE;
      keys.move(key, delivery.place(), before, blocks ? to : RowState.NONE);
    }
  }
}
