// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Message;
import io.outledger.Outbox;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * An outbox that appends to whatever transaction is running, and wakes this process's relays when
 * it has committed. Thread-safe.
 */
final class BoundOutbox implements Outbox {

  private final Appending appending;
  private final Transactions transactions;
  private final Runnable wakeup;

  BoundOutbox(Appending appending, Transactions transactions, Runnable wakeup) {
    this.appending = appending;
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
}
