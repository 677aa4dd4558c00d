// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import io.outledger.jdbc.AppendOrder;
import java.util.Comparator;

/** One event, raised once. The same event object raised twice makes two of these. */
final class RaisedEvent {

  static final Comparator<RaisedEvent> IN_ORDER = Comparator.comparingLong(raised -> raised.order);

  private final long order;
  private final Object event;

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
}
