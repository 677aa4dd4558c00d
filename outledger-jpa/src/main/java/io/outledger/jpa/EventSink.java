// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import java.util.List;
import org.hibernate.engine.spi.SessionImplementor;

/** Where the events of one session's transactions go. For one thread. */
interface EventSink {

  /** Makes the sink of a session. */
  @FunctionalInterface
  interface Factory {
    EventSink of(SessionImplementor session);
  }

  /** Takes events and messages, in order, inside the transaction. */
  void take(List<RaisedEvent> eventsOrMessages);

  /** Writes what was taken: the transaction is about to commit. */
  void beforeCommit();

  /** Ends the transaction. What it throws is logged by Hibernate and changes nothing. */
  void afterCompletion(boolean committed);
}
