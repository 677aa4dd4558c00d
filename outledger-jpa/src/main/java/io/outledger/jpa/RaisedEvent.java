// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import io.outledger.jdbc.AppendOrder;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** One event, raised once. The same event object raised twice makes two of these. */
final class RaisedEvent {

  static final Comparator<RaisedEvent> IN_ORDER = Comparator.comparingLong(raised -> raised.order);

  private final long order;
  private final Object event;
  private @Nullable Object session;

  private RaisedEvent(long order, Object event) {
    this.order = order;
    this.event = event;
  }

  // Of the whole process: entities do not know of each other, and share no session when they are
  // new.
  static RaisedEvent now(Object event) {
    return new RaisedEvent(AppendOrder.next(), event);
  }

  long order() {
    return order;
  }

  Object event() {
    return event;
  }

  /** Takes it for a session's transaction; returns false where that of another one has it. */
  @SuppressWarnings("ReferenceEquality") // a session is no value
  boolean take(Object taker) {
    if (session == null) {
      session = taker;
    }
    return session == taker;
  }

  /** The transaction that has taken it has ended. */
  void release() {
    session = null;
  }
}
