// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Delivery;
import io.outledger.Message;
import io.outledger.Name;
import io.outledger.Outbox;
import io.outledger.Require;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * An outbox that appends to whatever transaction is running, and wakes this process's relays when
 * it has committed. Thread-safe.
 */
final class BoundOutbox implements Outbox {

  private final Appending appending;
  private final Scheduling scheduling;
  private final Transactions transactions;
  private final Runnable wakeup;

  BoundOutbox(
      Appending appending, Scheduling scheduling, Transactions transactions, Runnable wakeup) {
    this.appending = appending;
    this.scheduling = scheduling;
    this.transactions = transactions;
    this.wakeup = wakeup;
  }

  @Override
  public List<UUID> append(Collection<?> eventsOrMessages) {
    List<Message> messages = appending.messages(eventsOrMessages, transactions::connection);
    appending.append(transactions.connection(), messages);
    if (!messages.isEmpty()) {
      transactions.afterCommit(wakeup);
    }
    return Appending.ids(messages);
  }

  @Override
  public UUID append(Object event, Delivery when) {
    Require.nonNull("when", when);
    Message message = scheduling.message(event, transactions::connection);
    scheduling.schedule(transactions.connection(), message, when);
    transactions.afterCommit(() -> scheduling.wake(when));
    return message.id();
  }

  @Override
  public boolean cancel(UUID id) {
    Require.nonNull("id", id);
    return scheduling.cancel(transactions.connection(), id);
  }

  @Override
  public boolean cancel(String name) {
    Name.check("scheduled message", name);
    return scheduling.cancel(transactions.connection(), name);
  }
}
