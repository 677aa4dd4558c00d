// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.ConfigurationException;
import io.outledger.Delivery;
import io.outledger.ErrorCode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The messages that wait in an outbox, in the order in which they were scheduled; in that of a
 * transaction, beside those of the outbox it was begun on. Thread-safe.
 */
final class WaitingMessages {

  private final @Nullable WaitingMessages outer;
  private final List<ScheduledMessage> waiting = new ArrayList<>();
  private final List<ScheduledMessage> cancelled = new ArrayList<>();

  /**
   * Makes one.
   *
   * @param outer what waits outside of the transaction; null where this is no transaction
   */
  WaitingMessages(@Nullable WaitingMessages outer) {
    this.outer = outer;
  }

  /** Returns all that wait, as this transaction sees it. */
  synchronized List<ScheduledMessage> all() {
    List<ScheduledMessage> all = new ArrayList<>(outer == null ? List.of() : outer.all());
    all.removeAll(cancelled);
    all.addAll(waiting);
    return all;
  }

  synchronized void add(ScheduledMessage message, Delivery when) {
    String name = message.name();
    if (name != null && when.isReplacing()) {
      cancel(each -> name.equals(each.name()));
    } else if (name != null && all().stream().anyMatch(each -> name.equals(each.name()))) {
      throw new ConfigurationException(
          ErrorCode.NAME_WAITING,
          "cannot schedule message "
              + message.message().id()
              + ": another message waits under the name \""
              + name
              + "\". Cancel that first, or have this one take its place by"
              + " Delivery.replacing(…); nothing was scheduled");
    }
    waiting.add(message);
  }

  synchronized boolean cancel(Predicate<ScheduledMessage> which) {
    List<ScheduledMessage> found = all().stream().filter(which).toList();
    for (ScheduledMessage each : found) {
      if (!waiting.remove(each)) {
        cancelled.add(each);
      }
    }
    return !found.isEmpty();
  }

  /** Removes what a transaction has cancelled. */
  synchronized void cancelAllOf(WaitingMessages transaction) {
    waiting.removeAll(transaction.cancelled);
  }

  /** Adds what a transaction has scheduled. */
  synchronized void addAllOf(WaitingMessages transaction) {
    waiting.addAll(transaction.waiting);
  }

  /** Removes and returns what is due, in the order of its time; nothing before a commit. */
  synchronized List<ScheduledMessage> takeDue(Instant now) {
    if (outer != null) {
      return List.of();
    }
    List<ScheduledMessage> due =
        waiting.stream()
            .filter(each -> !each.dueAt().isAfter(now))
            .sorted(Comparator.comparing(ScheduledMessage::dueAt))
            .toList();
    waiting.removeAll(due);
    return due;
  }

  synchronized void clear() {
    waiting.clear();
    cancelled.clear();
  }
}
