// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import io.outledger.jdbc.AfterCommit;
import io.outledger.jdbc.JdbcOutbox;
import io.outledger.jdbc.Transactions;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.engine.spi.SessionImplementor;

/** Collects, and appends everything in one statement over the session's own connection. */
final class SessionSink implements EventSink {

  private final SessionImplementor session;
  private final JdbcOutbox outbox;
  private final List<RaisedEvent> taken = new ArrayList<>();
  private final AfterCommit afterCommit = new AfterCommit();

  SessionSink(SessionImplementor session, JdbcOutbox outbox) {
    this.session = session;
    this.outbox = outbox;
  }

  @Override
  public void take(List<RaisedEvent> eventsOrMessages) {
    taken.addAll(eventsOrMessages);
  }

  @Override
  public void beforeCommit() {
    if (taken.isEmpty()) {
      return;
    }
    // Sorted again: what was handed over early may have been raised after what is flushed late.
    List<Object> all = taken.stream().sorted(RaisedEvent.IN_ORDER).map(RaisedEvent::event).toList();
    session.doWork(
        connection -> outbox.boundTo(new OneTransaction(connection, afterCommit)).append(all));
    taken.clear();
  }

  @Override
  public void afterCompletion(boolean committed) {
    taken.clear();
    if (committed) {
      afterCommit.run();
    } else {
      afterCommit.forget();
    }
  }

  private record OneTransaction(Connection connection, AfterCommit actions)
      implements Transactions {

    @Override
    public void afterCommit(Runnable action) {
      actions.add(action);
    }
  }
}
