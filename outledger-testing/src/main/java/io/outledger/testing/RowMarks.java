// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.Message;
import io.outledger.store.LedgerMessage;
import java.util.HashSet;
import java.util.Set;

/** What is to be known of rows besides their messages. Guarded by its ledger. */
final class RowMarks {

  private final Set<Long> unreadable = new HashSet<>();
  private final Set<Long> erased = new HashSet<>();

  RowMarks copy() {
    RowMarks copy = new RowMarks();
    copy.become(this);
    return copy;
  }

  void become(RowMarks other) {
    Set<Long> unreadableThere = Set.copyOf(other.unreadable);
    Set<Long> erasedThere = Set.copyOf(other.erased);
    clear();
    unreadable.addAll(unreadableThere);
    erased.addAll(erasedThere);
  }

  void clear() {
    unreadable.clear();
    erased.clear();
  }

  void makeUnreadable(long position) {
    unreadable.add(position);
  }

  /** Nothing is left in it that could not be read. */
  void erase(long position) {
    erased.add(position);
    unreadable.remove(position);
  }

  boolean isErased(long position) {
    return erased.contains(position);
  }

  /** Returns what is left of a message whose payload and headers are gone. */
  static Message emptied(Message message) {
    Message.Builder left =
        Message.to(message.topic(), message.type())
            .id(message.id())
            .version(message.version())
            .payload(new byte[0])
            .time(message.time());
    return message.key() == null ? left.build() : left.key(message.key()).build();
  }

  /** Returns a row as a poll shows it. */
  LedgerMessage read(long position, Message message) {
    String reason = unreadable.contains(position) ? "OUT-014 the row cannot be read" : null;
    return new LedgerMessage(position, message, reason, erased.contains(position));
  }
}
