// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.relay.PullJournal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/**
 * Records that move the source offsets of slots that have no message: Connect moves offsets with
 * records alone, and an offset that stays behind has the ledger read again after a restart. At most
 * one a second for each slot, and only where its frontier has moved. A slot whose messages a
 * transformation has all dropped has one, too: Connect stores no offset of a dropped record, and
 * keeps each in memory until a transaction is committed. Used by one thread, but for {@link
 * #arrived}.
 */
final class Heartbeats {

  private static final Duration EVERY = Duration.ofSeconds(1);

  private final SlotOffsets offsets;
  private final String topic;

  /** By the slots' source partitions. */
  private final Map<Map<String, ?>, Sent> sent = new ConcurrentHashMap<>();

  /** The last entry of each source partition that has arrived. */
  private final Map<Map<String, ?>, PullJournal.Entry> arrived = new ConcurrentHashMap<>();

  /** That of the record that arrived last: all of a batch have the same one. */
  private volatile @Nullable Object seen;

  private @Nullable Long withheldAt;

  /**
   * What a slot's records carried last.
   *
   * @param at when they did, or if they and those before have not arrived, when the first did
   */
  private record Sent(PullJournal.Entry entry, Map<String, ?> offset, long at, boolean hasArrived) {

    static Sent now(PullJournal.Entry entry, long now, boolean hasArrived) {
      return new Sent(entry, SlotOffsets.offset(entry), now, hasArrived);
    }

    Sent and(Sent next) {
      return hasArrived ? next : new Sent(next.entry, next.offset, at, next.hasArrived);
    }

    boolean isCarriedBy(SourceRecord record) {
      return offset.equals(record.sourceOffset());
    }

    Sent arrived() {
      return new Sent(entry, offset, at, true);
    }

    /** A change of the ledger's identity, or of the last message alone, is worth no heartbeat. */
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

  /** Notes the source offset that a slot's records carry, which may be dropped. */
  void carried(int slot, PullJournal.Entry entry, long now) {
    sent.merge(offsets.partition(slot), Sent.now(entry, now, false), Sent::and);
  }

  /** Notes that a record has arrived, and its source offset with it. Thread-safe. */
  void arrived(SourceRecord record) {
    Object offset = record.sourceOffset();
    if (offset == seen) {
      return;
    }
    seen = offset;
    sent.computeIfPresent(
        record.sourcePartition(),
        (partition, last) -> {
          if (!last.entry().equals(arrived.get(partition)) && last.isCarriedBy(record)) {
            arrived.put(partition, last.entry());
            return last.arrived();
          }
          return last;
        });
  }

  /** Returns how far a slot was by the last records that have arrived; empty where none has. */
  Optional<PullJournal.Entry> arrived(int slot) {
    return Optional.ofNullable(arrived.get(offsets.partition(slot)));
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
            // Once, also where it is dropped itself.
            sent.put(offsets.partition(slot), Sent.now(entry, now, true));
            due.add(heartbeat(slot, entry));
          }
        });
    return due;
  }

  private boolean isDue(int slot, PullJournal.Entry entry, long now) {
    if (withheldAt != null && now - withheldAt < EVERY.toNanos()) {
      return false;
    }
    Sent last = sent.get(offsets.partition(slot));
    return last == null
        || (now - last.at() >= EVERY.toNanos() && !(last.hasArrived() && last.isLike(entry)));
  }

  private SourceRecord heartbeat(int slot, PullJournal.Entry entry) {
    String value = "{\"high\":" + entry.frontier().high() + "}";
    return new SentRecord(
        new SlotOffsets.Moved(offsets.partition(slot), SlotOffsets.offset(entry)),
        topic,
        offsets.name(slot).getBytes(UTF_8),
        value.getBytes(UTF_8),
        new ConnectHeaders());
  }
}
