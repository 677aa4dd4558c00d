// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.Message;
import java.util.Map;
import java.util.NavigableMap;

/**
 * The contents of an in-memory ledger's database at one moment, including cursors, parked messages
 * and inboxes; made by {@link InMemoryLedger#backup()}. Immutable.
 */
public final class LedgerBackup {

  private final NavigableMap<Long, Message> visible;
  private final RowMarks marks;
  private final Map<String, InMemorySubscription> subscriptions;
  private final InboxTable inbox;
  private final LedgerNumbers numbers;

  LedgerBackup(
      NavigableMap<Long, Message> visible,
      RowMarks marks,
      Map<String, InMemorySubscription> subscriptions,
      InboxTable inbox,
      LedgerNumbers numbers) {
    this.visible = visible;
    this.marks = marks;
    this.subscriptions = subscriptions;
    this.inbox = inbox;
    this.numbers = numbers;
  }

  NavigableMap<Long, Message> visible() {
    return visible;
  }

  RowMarks marks() {
    return marks;
  }

  Map<String, InMemorySubscription> subscriptions() {
    return subscriptions;
  }

  InboxTable inbox() {
    return inbox;
  }

  LedgerNumbers numbers() {
    return numbers;
  }
}
