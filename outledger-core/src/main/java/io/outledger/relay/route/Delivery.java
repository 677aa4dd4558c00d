// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.Message;
import io.outledger.parking.Load;
import io.outledger.parking.Tried;
import io.outledger.publish.Outcome;
import io.outledger.relay.listener.Subject;
import io.outledger.store.Declaration;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way through one route.
 *
 * @param origin the message as it stands in the ledger, to be parked so
 * @param message the message as it is published
 * @param parked its parked row, or null for one that comes from the ledger
 * @param refused why the transforms did not let it pass; it takes its turn all the same, so that
 *     its key stays in order; null where they did
 * @param lacked what another instance has declared for it and this one does not have: it takes its
 *     turn and is parked for that instance; null where there is nothing
 */
record Delivery(
    LedgerMessage origin,
    Message message,
    @Nullable ParkedMessage parked,
    Outcome.@Nullable Rejected refused,
    @Nullable Declaration lacked)
    implements Tried {

  /** The order of {@linkplain Place places}, without making any. */
  static final Comparator<Delivery> IN_ORDER =
      (one, other) ->
          one.emptied() == other.emptied()
              ? Long.compare(one.position(), other.position())
              : Integer.compare(other.emptied(), one.emptied());

  /** Returns the delivery of what the transforms have let pass or refused. */
  static Delivery of(LedgerMessage origin, @Nullable ParkedMessage parked, Preparation prepared) {
    Message message = prepared.message();
    return new Delivery(
        origin,
        message == null ? origin.message() : message,
        parked,
        prepared.rejected(),
        prepared.lacked());
  }

  long position() {
    return origin.position();
  }

  /** Returns which message it is. */
  @Override
  public Place place() {
    return parked == null ? Place.of(origin) : Place.of(parked);
  }

  /** Returns whether it is the message at a place. */
  boolean isAt(Place place) {
    return position() == place.position() && origin.message().id().equals(place.id());
  }

  /** Returns what it takes of the window. */
  Load load() {
    return new Load(1, origin.bytes());
  }

  @Override
  public @Nullable String key() {
    return origin.message().key();
  }

  @Override
  public String topic() {
    return message.topic();
  }

  @Override
  public String type() {
    return message.type();
  }

  /** Names the message as what an event of a route is about. */
  Subject in(String route) {
    return new Subject(origin.message().id(), key(), position(), route);
  }

  /** Returns whether nothing of its own forbids that it is sent. */
  boolean isToBeSent() {
    return refused == null && lacked == null;
  }

  /** Returns the number of failed attempts that were counted so far. */
  int attempts() {
    return parked == null ? 0 : parked.attempts();
  }

  /** Returns the number of the attempt that this delivery is: 1 for the first. */
  int attempt() {
    return attempts() + 1;
  }

  /** Returns whether it comes from the row at a place. */
  boolean isOf(Place place) {
    return parked != null && isAt(place);
  }

  boolean isHeld() {
    return parked != null && parked.state() == ParkedState.HELD;
  }

  boolean blocksKey() {
    return parked != null && parked.blocks() && key() != null;
  }

  /**
   * Returns whether its row is one that nobody waits for: the copy of a replay, or a dead letter
   * whose key has gone on. What merely has no key is none.
   */
  boolean isBeside() {
    return parked != null && (parked.replayed() || (key() != null && !parked.blocks()));
  }

  /** Says whether another message is an earlier one of the same key. */
  boolean isBehind(Delivery other) {
    String key = key();
    return key != null && IN_ORDER.compare(other, this) < 0 && key.equals(other.key());
  }

  /** Returns how often the ledger was emptied since it was parked. */
  private int emptied() {
    return parked == null ? 0 : parked.emptied();
  }
}
