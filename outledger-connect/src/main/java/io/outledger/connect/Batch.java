// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import io.outledger.Printable;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.relay.PullJournal;
import io.outledger.relay.Slots;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.connect.source.SourceRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The messages of one poll: what is sent of them, and what is parked before. With exactly-once each
 * record carries its slot's frontier after the batch, which is one transaction; Connect stores no
 * offset of a record that a transformation drops, and any other one will do. Without it Connect may
 * store the offset of a record that has arrived, while later ones have not: so only the last record
 * of each slot carries that frontier, and at those before it all of the batch are still open.
 */
final class Batch {

  private static final Logger LOG = LoggerFactory.getLogger(Batch.class);
  private static final String ROUTE = "";

  private final List<SourceRecord> records = new ArrayList<>();
  private final Map<Integer, List<ParkedChange>> parked = new TreeMap<>();
  private final Map<Integer, PullJournal.Entry> carried = new HashMap<>();

  private Batch() {}

  /**
   * Sorts the messages of a poll.
   *
   * @param after how far each slot is once all of them have arrived
   * @param refusals topics that cannot be written, each with the reason
   * @param isExactlyOnce whether the batch is one transaction
   */
  static Batch of(
      List<MessageRecord.Form> forms,
      SlotOffsets offsets,
      Map<Integer, PullJournal.Entry> after,
      Map<String, String> refusals,
      boolean isExactlyOnce) {
    Batch batch = new Batch();
    Slots slots = offsets.slots();
    List<MessageRecord.Form> sent = new ArrayList<>();
    for (MessageRecord.Form form : forms) {
      int slot = slots.of(form.of().message());
      String refused = form.refused() == null ? refusals.get(form.topic()) : form.refused();
      if (form.of().erased()) {
        batch.change(
            slot, new ParkedChange.PassOver(form.of().position(), form.of().message().id()));
      } else if (refused != null) {
        batch.change(slot, dead(form.of(), refused));
      } else {
        sent.add(form);
      }
    }
    batch.send(sent, offsets, after, isExactlyOnce);
    return batch;
  }

  private void send(
      List<MessageRecord.Form> sent,
      SlotOffsets offsets,
      Map<Integer, PullJournal.Entry> after,
      boolean isExactlyOnce) {
    Slots slots = offsets.slots();
    Map<Integer, List<MessageRecord.Form>> bySlot =
        sent.stream().collect(Collectors.groupingBy(form -> slots.of(form.of().message())));
    Map<Integer, Map<String, Object>> before = new HashMap<>();
    bySlot.forEach(
        (slot, mine) -> {
          PullJournal.Entry reached = Objects.requireNonNull(after.get(slot));
          carried.put(slot, reached);
          before.put(slot, SlotOffsets.offset(withNoneOf(mine, reached)));
        });
    Map<Integer, Integer> left = new HashMap<>();
    bySlot.forEach((slot, mine) -> left.put(slot, mine.size()));
    for (MessageRecord.Form form : sent) {
      int slot = slots.of(form.of().message());
      boolean isLast = left.merge(slot, -1, Integer::sum) == 0;
      Map<String, Object> offset =
          isLast || isExactlyOnce
              ? SlotOffsets.offset(Objects.requireNonNull(after.get(slot)))
              : Objects.requireNonNull(before.get(slot));
      records.add(form.at(offsets.partition(slot), offset));
    }
  }

  /**
   * Returns an entry before any of these has arrived; what is sent again is a dead letter still.
   */
  private static PullJournal.Entry withNoneOf(
      List<MessageRecord.Form> mine, PullJournal.Entry after) {
    Positions all = Positions.of(mine.stream().mapToLong(form -> form.of().position()).toArray());
    Frontier frontier = after.frontier();
    Positions open = frontier.open().union(all.minus(after.sent()));
    return new PullJournal.Entry(
        after.epoch(),
        after.ledger(),
        new Frontier(frontier.high(), open),
        after.known(),
        after.sent().minus(all));
  }

  private void change(int slot, ParkedChange change) {
    parked.computeIfAbsent(slot, any -> new ArrayList<>()).add(change);
  }

  private static ParkedChange dead(LedgerMessage read, String reason) {
    LOG.error(
        "message {} at position {} is a dead letter: {}",
        read.message().id(),
        read.position(),
        Printable.text(reason));
    return new ParkedChange.Park(
        new ParkedMessage(
            read.position(),
            ROUTE,
            read.message(),
            ParkedState.DEAD,
            1,
            false,
            read.unreadable(),
            false),
        reason,
        null);
  }

  /** Returns what is sent, in the order in which it was read. */
  List<SourceRecord> records() {
    return records;
  }

  /** Returns what is parked or passed over, by slot. */
  Map<Integer, List<ParkedChange>> parked() {
    return parked;
  }

  /** Returns the frontiers that the records carry, by slot. */
  Map<Integer, PullJournal.Entry> carried() {
    return carried;
  }
}
