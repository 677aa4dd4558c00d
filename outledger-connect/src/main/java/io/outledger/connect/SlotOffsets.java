// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.relay.PullJournal;
import io.outledger.relay.PullJournal.SentRow;
import io.outledger.relay.Slots;
import io.outledger.store.KnownMessage;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.connect.errors.ConnectException;
import org.jspecify.annotations.Nullable;

/**
 * The form of source partitions and offsets. A source partition has one entry alone: Connect
 * compares partitions by their bytes, and the order of two entries is not always the same.
 *
 * @param ledger the ledger's name
 * @param subscription the subscription's
 * @param slots how many there are
 */
record SlotOffsets(String ledger, String subscription, Slots slots) {

  /** The only entry of a source partition. */
  static final String SLOT = "slot";

  private static final String EPOCH = "epoch";
  private static final String LEDGER = "ledger";
  private static final String HIGH = "high";
  private static final String OPEN = "open";
  private static final String KNOWN = "known";
  private static final String SENT = "sent";

  /** A source offset, and of which source partition it is. */
  record Moved(Map<String, String> partition, Map<String, Object> offset) {}

  /** Returns the source partition of a slot. */
  Map<String, String> partition(int slot) {
    return Map.of(SLOT, name(slot));
  }

  /** Returns a slot's name. */
  String name(int slot) {
    return ledger + "/" + subscription + "/" + slot + "/" + slots.count();
  }

  /** Returns the source offset of an entry. */
  static Map<String, Object> offset(PullJournal.Entry entry) {
    Map<String, Object> offset = new LinkedHashMap<>();
    offset.put(EPOCH, entry.epoch());
    if (entry.ledger() != null) {
      offset.put(LEDGER, entry.ledger());
    }
    offset.put(HIGH, entry.frontier().high());
    offset.put(OPEN, text(entry.frontier().open()));
    KnownMessage known = entry.known();
    if (known != null) {
      offset.put(KNOWN, text(known));
    }
    if (!entry.sent().isEmpty()) {
      offset.put(
          SENT,
          entry.sent().stream().map(SlotOffsets::text).sorted().collect(Collectors.joining(",")));
    }
    return offset;
  }

  /**
   * Returns the entry of a source offset; empty where there is none.
   *
   * @throws ConnectException if it does not have the form, as after an operator has altered it
   */
  static Optional<PullJournal.Entry> entry(@Nullable Map<String, ?> offset) {
    if (offset == null || offset.isEmpty()) {
      return Optional.empty();
    }
    try {
      Object ledger = offset.get(LEDGER);
      return Optional.of(
          new PullJournal.Entry(
              number(offset, EPOCH),
              ledger == null ? null : ledger.toString(),
              new Frontier(number(offset, HIGH), positions(offset.get(OPEN))),
              known(offset.get(KNOWN)),
              sent(offset.get(SENT))));
    } catch (RuntimeException e) {
      throw new ConnectException(
          "the source offset "
              + offset
              + " is not of this connector: it needs epoch and high, as numbers, open, as ranges"
              + " such as \"3-5,9\", known as \"position/id\" or not at all, and sent as"
              + " \"position/id/parked_at\" of rows of outledger_parked that were sent and are"
              + " still there, or not at all; such a row that it does not name is sent again where"
              + " it is due. Stop the connector and set the offset again (PATCH of its offsets)",
          e);
    }
  }

  private static long number(Map<String, ?> offset, String name) {
    if (offset.get(name) instanceof Number number) {
      return number.longValue();
    }
    throw new IllegalArgumentException(name + " is no number");
  }

  private static @Nullable KnownMessage known(@Nullable Object text) {
    if (text == null) {
      return null;
    }
    return message(text.toString());
  }

  private static Set<SentRow> sent(@Nullable Object text) {
    return text == null
        ? Set.of()
        : Stream.of(text.toString().split(",", -1))
            .map(SlotOffsets::row)
            .collect(Collectors.toSet());
  }

  private static String text(SentRow row) {
    return text(row.message()) + "/" + row.parkedAt();
  }

  private static SentRow row(String text) {
    int end = text.lastIndexOf('/');
    return new SentRow(message(text.substring(0, end)), Instant.parse(text.substring(end + 1)));
  }

  private static String text(KnownMessage message) {
    return message.position() + "/" + message.id();
  }

  private static KnownMessage message(String text) {
    String[] parts = text.split("/", 2);
    return new KnownMessage(Long.parseLong(parts[0]), UUID.fromString(parts[1]));
  }

  private static String text(Positions open) {
    StringBuilder text = new StringBuilder();
    long[] firsts = open.firsts();
    long[] lasts = open.lasts();
    for (int i = 0; i < firsts.length; i++) {
      text.append(i == 0 ? "" : ",").append(firsts[i]);
      if (lasts[i] > firsts[i]) {
        text.append('-').append(lasts[i]);
      }
    }
    return text.toString();
  }

  private static Positions positions(@Nullable Object text) {
    if (text == null || text.toString().isEmpty()) {
      return Positions.NONE;
    }
    String[] ranges = text.toString().split(",", -1);
    long[] firsts = new long[ranges.length];
    long[] lasts = new long[ranges.length];
    for (int i = 0; i < ranges.length; i++) {
      String[] bounds = ranges[i].split("-", 2);
      firsts[i] = Long.parseLong(bounds[0]);
      lasts[i] = bounds.length == 1 ? firsts[i] : Long.parseLong(bounds[1]);
    }
    return Positions.ofRanges(firsts, lasts);
  }
}
