// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.relay.options.RetryPolicy.DeadLetter;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of a route's parked messages, as the next save writes them. */
final class RouteRows {

  private static final int REASON_CHARS_MAX = 2_000;

  private final String route;
  private final DeadLetter deadLetter;
  private final PendingSave pendingSave;
  private final ReturningRows rows;

  RouteRows(String route, DeadLetter deadLetter, PendingSave pendingSave, ReturningRows rows) {
    this.route = route;
    this.deadLetter = deadLetter;
    this.pendingSave = pendingSave;
    this.rows = rows;
  }

  /** Parks a message that had no row, which settles it for the route. */
  void park(
      Delivery delivery,
      ParkedState state,
      int attempts,
      @Nullable String reason,
      @Nullable Duration delay) {
    boolean blocksKey =
        delivery.key() != null
            && (state != ParkedState.DEAD || deadLetter == DeadLetter.KEY_STAYS_BLOCKED);
    LedgerMessage origin = delivery.origin();
    ParkedMessage row =
        new ParkedMessage(
            origin.position(),
            route,
            origin.message(),
            state,
            attempts,
            blocksKey,
            origin.unreadable());
    pendingSave.change(new ParkedChange.Park(row, reason, delay));
    pendingSave.settledByRoute(delivery.position());
  }

  /** What a row says after another failed attempt. */
  record Failure(
      ParkedState state, boolean blocks, int attempts, String reason, @Nullable Duration delay) {}

  /** Puts a row that was brought back where it was, with what has failed. */
  void fail(Delivery delivery, Failure failure) {
    if (failure.state() == ParkedState.DEAD) {
      rows.ended(delivery);
    } else {
      rows.wentBack(delivery);
    }
    pendingSave.change(
        new ParkedChange.Fail(
            delivery.position(),
            route,
            delivery.origin().message().id(),
            failure.state(),
            failure.blocks(),
            failure.attempts(),
            failure.reason(),
            failure.delay()));
  }

  /** Removes the row of a message that was published at last. */
  void remove(Delivery delivery) {
    rows.ended(delivery);
    UUID id = delivery.origin().message().id();
    pendingSave.change(new ParkedChange.Remove(delivery.position(), route, id));
  }

  /** Removes the row of a message that an operator has discarded. */
  void discard(ParkedMessage message) {
    UUID id = message.message().id();
    pendingSave.change(new ParkedChange.Remove(message.position(), route, id, true));
  }

  /** Returns a reason as a row can hold it. */
  static String shortened(String reason) {
    String clean = reason.replace('\0', ' ');
    return clean.length() <= REASON_CHARS_MAX ? clean : clean.substring(0, REASON_CHARS_MAX);
  }
}
