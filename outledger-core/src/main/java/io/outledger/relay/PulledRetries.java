// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.frontier.Frontier;
import io.outledger.relay.PullJournal.SentRow;
import io.outledger.store.KnownMessage;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.RelayStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The dead letters of a slot that an operator wants sent after all, or discarded. One that was sent
 * is taken away by a later save. Until then the journal's entry names it, so that a successor only
 * takes it away, and does not send it again.
 */
final class PulledRetries {

  private static final int LIMIT = 50;

  /** Those that were sent by an earlier owner, as the journal names them. */
  private Set<SentRow> before;

  /** Whether the last look has found something, so that there may be more. */
  private boolean hasFound;

  private final Map<KnownMessage, ParkedMessage> handedOut = new LinkedHashMap<>();

  /** Those whose rows the next save takes away. */
  private final Map<SentRow, ParkedChange> changes = new LinkedHashMap<>();

  PulledRetries(Set<SentRow> before) {
    this.before = before;
  }

  /**
   * Looks for requests; returns the messages that are to be sent. A store gives as many as it holds
   * in memory at once, so only a look that finds nothing tells that there is nothing left.
   *
   * @param isUnread whether a message is still to be read here: were its row gone by then, it would
   *     be sent once more
   * @param durable tells the slot's frontier in the journal: what is open there is read after a
   *     crash, and were its row gone by then, it would be sent though it was discarded
   */
  List<LedgerMessage> look(
      RelayStore store, Predicate<KnownMessage> isUnread, Supplier<Frontier> durable) {
    discard(store.discards(ParkedPlace.FIRST, LIMIT), durable);
    hasFound = !changes.isEmpty();
    if (hasFound) {
      return List.of(); // they are saved first, since a row may be wanted twice
    }
    List<LedgerMessage> wanted = new ArrayList<>();
    List<ParkedMessage> due = store.due(Set.of(""), Set.of(), LIMIT);
    for (ParkedMessage each : due) {
      KnownMessage message = message(each);
      if (before.contains(row(each))) {
        remove(each, false);
      } else if (!isUnread.test(message)) {
        handedOut.put(message, each);
        wanted.add(new LedgerMessage(each.position(), each.message(), each.unreadable()));
      }
    }
    hasFound = !wanted.isEmpty() || !changes.isEmpty();
    if (due.isEmpty()) {
      before = Set.of(); // their rows are gone
    }
    return wanted;
  }

  private void discard(List<ParkedMessage> discards, Supplier<Frontier> durable) {
    if (!discards.isEmpty()) {
      Frontier kept = durable.get();
      discards.stream()
          .filter(each -> kept.isSettled(each.position()))
          .forEach(each -> remove(each, true));
    }
  }

  /** Returns whether the last look has found something, so that the next follows it at once. */
  boolean hasFound() {
    return hasFound;
  }

  /** Returns whether only another look tells that nothing is left of what the last ones found. */
  boolean mustLook() {
    return hasFound || !before.isEmpty();
  }

  private void remove(ParkedMessage row, boolean isDiscarded) {
    changes.put(
        row(row),
        new ParkedChange.Remove(row.position(), row.route(), row.message().id(), isDiscarded));
  }

  /** Returns what a successor must not send: it has been sent, or is in what was handed out. */
  Set<SentRow> sent() {
    Set<SentRow> sent = arrived();
    handedOut.values().forEach(each -> sent.add(row(each)));
    return sent;
  }

  /** The same without what was handed out and may not arrive. */
  Set<SentRow> arrived() {
    Set<SentRow> arrived = new LinkedHashSet<>(before);
    arrived.addAll(changes.keySet());
    return arrived;
  }

  /** Notes that messages are parked again, instead of being sent. */
  void parked(List<ParkedChange> again) {
    again.forEach(change -> handedOut.remove(new KnownMessage(change.position(), change.id())));
  }

  private static KnownMessage message(ParkedMessage row) {
    return new KnownMessage(row.position(), row.message().id());
  }

  private static SentRow row(ParkedMessage row) {
    return new SentRow(message(row), Objects.requireNonNull(row.parkedAt()));
  }

  /** Forgets what was handed out: it is looked for again. */
  void forget() {
    handedOut.clear();
  }

  /** Takes it that what was handed out has arrived. */
  void committed() {
    handedOut.values().forEach(each -> remove(each, false));
    handedOut.clear();
  }

  /** Returns the rows that the next save is to take away. */
  List<ParkedChange> changes() {
    return List.copyOf(changes.values());
  }

  /** Takes it that a save has taken them away. */
  void saved() {
    Set<SentRow> left = new LinkedHashSet<>(before);
    left.removeAll(changes.keySet());
    before = left;
    changes.clear();
  }
}
