// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import java.sql.Connection;
import java.util.List;
import org.hibernate.engine.spi.SessionImplementor;

/** Hands the events of one session to an outbox that puts them into their order by itself. */
record OrderedSink(SessionImplementor session, OrderedOutbox outbox) implements EventSink {

  @Override
  public void take(List<RaisedEvent> events) {
    Connection connection =
        session.getJdbcCoordinator().getLogicalConnection().getPhysicalConnection();
    events.forEach(each -> outbox.append(each.event(), each.order(), connection));
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
