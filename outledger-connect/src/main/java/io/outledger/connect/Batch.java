// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import io.outledger.Printable;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.log.QuietLog;
import io.outledger.relay.PullJournal;
import io.outledger.relay.Slots;
import io.outledger.store.KnownMessage;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.connect.source.SourceRecord;
import org.slf4j.event.Level;

/**
 * The messages of one poll: what is parked of them first, and what is sent then. With exactly-once
 * each record carries its slot's frontier after the batch, which is one transaction; Connect stores
 * no offset of a record that a transformation drops, and any other one will do. Without it Connect
 * may store the offset of a record that has arrived, while later ones have not: so only the last
 * record of each slot carries that frontier, and at those before it all of the batch are still
 * open.
 */
final class Batch {

  private static final String ROUTE = "";

  private final Slots slots;
  private final List<Sent> sent = new ArrayList<>();
  private final Map<Integer, Integer> counts = new TreeMap<>();
  private final Map<Integer, List<ParkedChange>> parked = new TreeMap<>();

  /** A message that is sent, and its slot. */
  private record Sent(MessageRecord.Form form, int slot) {

    KnownMessage message() {
      return new KnownMessage(form.of().position(), form.of().message().id());
    }
  }

  private Batch(Slots slots) {
    this.slots = slots;
  }

  /**
   * Sorts the messages of a poll.
   *
   * @param refusals topics that cannot be written, each with the reason
   * @param log hears of dead letters
   */
  static Batch of(
      List<MessageRecord.Form> forms, Slots slots, Map<String, String> refusals, QuietLog log) {
    Batch batch = new Batch(slots);
    for (MessageRecord.Form form : forms) {
      String refused = form.refused() == null ? refusals.get(form.topic()) : form.refused();
      if (form.of().erased()) {
        batch.change(
            form, new ParkedChange.PassOver(form.of().position(), form.of().message().id()));
      } else if (refused != null) {
        batch.change(form, dead(form.of(), refused, log));
      } else {
        batch.send(form);
      }
    }
    return batch;
  }

  /** Returns what is parked or passed over, by slot. */
  Map<Integer, List<ParkedChange>> parked() {
    return parked;
  }

  /** Returns the slots of what is sent. */
  Set<Integer> carriers() {
    return counts.keySet();
  }

  /**
   * Returns what is sent, in the order in which it was read.
   *
   * @param after how far each slot is once all of them have arrived, now that the others are parked
   * @param isExactlyOnce whether the batch is one transaction
   */
  List<SourceRecord> records(
      SlotOffsets offsets, Map<Integer, PullJournal.Entry> after, boolean isExactlyOnce) {
    Map<Integer, Map<String, Object>> last = new HashMap<>();
    Map<Integer, Map<String, Object>> before = new HashMap<>();
    Map<Integer, Map<String, String>> partitions = new HashMap<>();
    for (int slot : carriers()) {
      PullJournal.Entry reached = Objects.requireNonNull(after.get(slot));
      last.put(slot, SlotOffsets.offset(reached));
      before.put(slot, SlotOffsets.offset(isExactlyOnce ? reached : withNoneOf(slot, reached)));
      partitions.put(slot, offsets.partition(slot));
    }
    Map<Integer, Integer> left = new HashMap<>(counts);
    List<SourceRecord> records = new ArrayList<>(sent.size());
    for (Sent each : sent) {
      boolean isLast = left.merge(each.slot(), -1, Integer::sum) == 0;
      Map<String, Object> offset = (isLast ? last : before).get(each.slot());
      records.add(
          each.form()
              .at(
                  Objects.requireNonNull(partitions.get(each.slot())),
                  Objects.requireNonNull(offset)));
    }
    return records;
  }

  private void send(MessageRecord.Form form) {
    Sent each = new Sent(form, slot(form));
    sent.add(each);
    counts.merge(each.slot(), 1, Integer::sum);
  }

  private int slot(MessageRecord.Form form) {
    return slots.of(form.of().message());
  }

  /**
   * Returns an entry before any of a slot's has arrived; what is sent again is a dead letter still.
   */
  private PullJournal.Entry withNoneOf(int slot, PullJournal.Entry after) {
    Set<KnownMessage> sending =
        sent.stream()
            .filter(each -> each.slot() == slot)
            .map(Sent::message)
            .collect(Collectors.toCollection(HashSet::new));
    Set<PullJournal.SentRow> sentBefore = new HashSet<>(after.sent());
    sentBefore.removeIf(row -> sending.contains(row.message()));
    after.sent().forEach(row -> sending.remove(row.message()));
    long[] unread = sending.stream().mapToLong(KnownMessage::position).toArray();
    Frontier frontier = after.frontier();
    return new PullJournal.Entry(
        after.epoch(),
        after.ledger(),
        new Frontier(frontier.high(), frontier.open().union(Positions.of(unread))),
        after.known(),
        sentBefore);
  }

  private void change(MessageRecord.Form form, ParkedChange change) {
    parked.computeIfAbsent(slot(form), any -> new ArrayList<>()).add(change);
  }

  private static ParkedChange dead(LedgerMessage read, String reason, QuietLog log) {
    log.fails(
        Level.ERROR,
        "dead letters",
        reason,
        () ->
            "message "
                + read.message().id()
                + " at position "
                + read.position()
                + " is a dead letter: "
                + Printable.text(reason));
    return new ParkedChange.Park(
        new ParkedMessage(
            read.position(),
            ROUTE,
            read.message(),
            ParkedState.DEAD,
            1,
            false,
            read.unreadable(),
            false,
            0,
            null),
        reason,
        null);
  }
}
