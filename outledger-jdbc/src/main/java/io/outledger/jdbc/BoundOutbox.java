// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Message;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * An outbox that appends to whatever transaction is running, and wakes this process's relays when
 * it has committed. Thread-safe.
 */
public final class BoundOutbox {

  private final Appending appending;
  private final Transactions transactions;
  private final Runnable wakeup;

  BoundOutbox(Appending appending, Transactions transactions, Runnable wakeup) {
    this.appending = appending;
    this.transactions = transactions;
    this.wakeup = wakeup;
  }

  /**
   * Appends to the running transaction.
   *
   * @param eventsOrMessages events of registered classes, and {@link Message}s; none is fine
   * @return the ids of the messages, in order
   * @throws io.outledger.StoreException {@code OUT-001} where no transaction is running
   * @throws io.outledger.OutledgerException as {@link Outbox#append(java.sql.Connection,
   *     Object...)} does
   */
  public List<UUID> append(Object... eventsOrMessages) {
    return append(Arrays.asList(eventsOrMessages));
  }

  /** Appends a collection; see {@link #append(Object...)}. */
  public List<UUID> append(Collection<?> eventsOrMessages) {
    List<Message> messages = appending.messages(eventsOrMessages);
    appending.append(transactions.connection(), messages);
    if (!messages.isEmpty()) {
      transactions.afterCommit(wakeup);
    }
    return messages.stream().map(Message::id).toList();
  }
}
