// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.relay.PullJournal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/**
 * Records that move the source offsets of slots that have no message: Connect moves offsets with
 * records alone, and an offset that stays behind has the ledger read again after a restart. At most
 * one a second for each slot, and only where its frontier has moved. Used by one thread.
 */
final class Heartbeats {

  private static final Duration EVERY = Duration.ofSeconds(1);

  private final SlotOffsets offsets;
  private final String topic;
  private final Map<Integer, Sent> sent = new HashMap<>();
  private @Nullable Long withheldAt;

  private record Sent(PullJournal.Entry entry, long at) {

    /** Whether the ledger's identity or the last message differ alone, nobody needs to know. */
    boolean isLike(PullJournal.Entry other) {
      return entry.epoch() == other.epoch()
          && entry.frontier().equals(other.frontier())
          && entry.sent().equals(other.sent());
    }
  }

  Heartbeats(SlotOffsets offsets, String topic) {
    this.offsets = offsets;
    this.topic = topic;
  }

  String topic() {
    return topic;
  }

  /** Notes the source offset that a slot's records carry. */
  void carried(int slot, PullJournal.Entry entry, long now) {
    sent.put(slot, new Sent(entry, now));
  }

  /** Returns whether any heartbeat is due. */
  boolean isDue(Map<Integer, PullJournal.Entry> after, long now) {
    return after.entrySet().stream().anyMatch(each -> isDue(each.getKey(), each.getValue(), now));
  }

  /** Notes that none can be sent now; they are due again after a while. */
  void withheld(long now) {
    withheldAt = now;
  }

  /** Returns the heartbeats that are due, and notes that they are sent. */
  List<SourceRecord> due(Map<Integer, PullJournal.Entry> after, long now) {
    List<SourceRecord> due = new ArrayList<>();
    after.forEach(
        (slot, entry) -> {
          if (isDue(slot, entry, now)) {
            carried(slot, entry, now);
            due.add(heartbeat(slot, entry));
          }
        });
    return due;
  }

  private boolean isDue(int slot, PullJournal.Entry entry, long now) {
    if (withheldAt != null && now - withheldAt < EVERY.toNanos()) {
      return false;
    }
    Sent last = sent.get(slot);
    return last == null || (!last.isLike(entry) && now - last.at() >= EVERY.toNanos());
  }

  private SourceRecord heartbeat(int slot, PullJournal.Entry entry) {
    String value = "{\"high\":" + entry.frontier().high() + "}";
    return new SourceRecord(
        offsets.partition(slot),
        SlotOffsets.offset(entry),
        topic,
        Schema.BYTES_SCHEMA,
        offsets.name(slot).getBytes(UTF_8),
        Schema.BYTES_SCHEMA,
        value.getBytes(UTF_8));
  }
}
