// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import java.util.Comparator;
import java.util.concurrent.atomic.AtomicLong;

/** One event, raised once. The same event object raised twice makes two of these. */
final class RaisedEvent {

  static final Comparator<RaisedEvent> IN_ORDER = Comparator.comparingLong(raised -> raised.order);

  // For the whole process: entities do not know of each other, and share no session when they are
  // new.
  private static final AtomicLong RAISED = new AtomicLong();

  private final long order;
  private final Object event;

  private RaisedEvent(long order, Object event) {
    this.order = order;
    this.event = event;
  }

  static RaisedEvent now(Object event) {
    return new RaisedEvent(RAISED.incrementAndGet(), event);
  }

  Object event() {
    return event;
  }
}
