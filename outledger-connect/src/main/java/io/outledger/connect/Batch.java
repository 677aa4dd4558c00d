// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import io.outledger.Printable;
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
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.connect.source.SourceRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The messages of one poll: what is sent of them, and what is parked before. Each record carries
 * its slot's frontier after the whole batch. That is right because a batch is one transaction.
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
   * @param missing topics that do not exist
   */
  static Batch of(
      List<MessageRecord.Form> forms,
      SlotOffsets offsets,
      Map<Integer, PullJournal.Entry> after,
      Set<String> missing) {
    Batch batch = new Batch();
    Map<Integer, Map<String, Object>> moved = new HashMap<>();
    Slots slots = offsets.slots();
    after.forEach((slot, entry) -> moved.put(slot, SlotOffsets.offset(entry)));
    for (MessageRecord.Form form : forms) {
      int slot = slots.of(form.of().message());
      String refused =
          form.refused() == null && missing.contains(form.topic())
              ? "the topic " + form.topic() + " does not exist"
              : form.refused();
      if (form.of().erased()) {
        batch.change(
            slot, new ParkedChange.PassOver(form.of().position(), form.of().message().id()));
      } else if (refused != null) {
        batch.change(slot, dead(form.of(), refused));
      } else {
        batch.records.add(form.at(offsets.partition(slot), moved.getOrDefault(slot, Map.of())));
        batch.carried.put(slot, after.get(slot));
      }
    }
    return batch;
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

  /** Returns what is sent, in the order of positions. */
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
