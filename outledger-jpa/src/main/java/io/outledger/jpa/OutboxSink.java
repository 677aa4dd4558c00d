// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import io.outledger.Outbox;
import java.util.List;

/** Hands events to an outbox that knows the running transaction by itself. */
record OutboxSink(Outbox outbox) implements EventSink {

  @Override
  public void take(List<RaisedEvent> eventsOrMessages) {
    outbox.append(eventsOrMessages.stream().map(RaisedEvent::event).toList());
  }

  @Override
  public void beforeCommit() {
    // The outbox was handed everything, and writes it when it sees fit.
  }

  @Override
  public void afterCompletion(boolean committed) {
    // The outbox learns of the end from its own transaction manager.
  }
}
