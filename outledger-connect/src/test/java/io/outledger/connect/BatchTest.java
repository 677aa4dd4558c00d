// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.log.QuietLog;
import io.outledger.relay.PullJournal;
import io.outledger.relay.PullJournal.SentRow;
import io.outledger.relay.Slots;
import io.outledger.store.KnownMessage;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.testing.SettableClock;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchTest {

  private static final long HIGH = 40;

  /** A dead letter of a ledger that was emptied: another message has its position now. */
  private static final LedgerMessage SENT_AGAIN = message(HIGH);

  private static final SentRow SENT_AGAIN_IS =
      new SentRow(
          new KnownMessage(SENT_AGAIN.position(), SENT_AGAIN.message().id()), Instant.EPOCH);

  private final SettableClock clock = new SettableClock();
  private final QuietLog log = new QuietLog(BatchTest.class, "connector of x", clock);
  private final MessageRecord mapping = new MessageRecord(new TopicName("t"), "/shop", 1_000);

  /** Without a transaction, Connect may store the offset of any record, and then be killed. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void anOffsetSettlesNothingThatComesAfterItsRecord(int count) {
    SlotOffsets offsets = new SlotOffsets("shop", "kafka", new Slots(count));
    List<LedgerMessage> read = new ArrayList<>();
    for (long position = 11; position <= HIGH; position++) {
      read.add(message(position));
    }
    read.add(SENT_AGAIN);
    Batch batch = Batch.of(read.stream().map(mapping::of).toList(), offsets.slots(), Map.of(), log);

    List<SourceRecord> records = batch.records(offsets, after(offsets.slots()), false);
    assertThat(records).hasSameSizeAs(read);
    Map<Integer, PullJournal.Entry> stored = new HashMap<>();
    for (int i = 0; i < records.size(); i++) {
      int slot = offsets.slots().of(read.get(i).message());
      stored.put(slot, SlotOffsets.entry(records.get(i).sourceOffset()).orElseThrow());
      for (LedgerMessage later : read.subList(i + 1, read.size())) {
        PullJournal.Entry entry = stored.get(offsets.slots().of(later.message()));
        if (entry != null) {
          assertThat(isDone(entry, later)).isFalse();
        }
      }
    }
    for (LedgerMessage each : read) {
      PullJournal.Entry entry =
          Objects.requireNonNull(stored.get(offsets.slots().of(each.message())));
      assertThat(isDone(entry, each)).isTrue();
    }
  }

  /** A transformation may drop any of them, and with it its offset. */
  @Test
  void withExactlyOnceEachOffsetSettlesTheWholeBatch() {
    SlotOffsets offsets = new SlotOffsets("shop", "kafka", new Slots(1));
    List<MessageRecord.Form> read =
        List.of(mapping.of(message(38)), mapping.of(message(39)), mapping.of(message(HIGH)));
    Batch batch = Batch.of(read, offsets.slots(), Map.of(), log);
    assertThat(batch.records(offsets, after(offsets.slots()), true))
        .hasSize(3)
        .allSatisfy(
            each ->
                assertThat(SlotOffsets.entry(each.sourceOffset()))
                    .hasValue(after(offsets.slots()).get(0)));
  }

  @Test
  void aMessageIsParkedForItsOwnReasonOrForItsTopics() {
    MessageRecord.Form tooLarge =
        mapping.of(new LedgerMessage(39, Message.to("t", "e").payload(new byte[1_000]).build()));
    MessageRecord.Form good = mapping.of(message(HIGH));
    Batch parked =
        Batch.of(List.of(tooLarge, good), new Slots(1), Map.of("t", "no such topic"), log);
    assertThat(parked.parked().get(0))
        .extracting(change -> ((ParkedChange.Park) change).error())
        .satisfiesExactly(
            first -> assertThat(first).contains("record.bytes.max"),
            second -> assertThat(second).isEqualTo("no such topic"));
    assertThat(parked.carriers()).isEmpty();
  }

  @Test
  void manyDeadLettersOfOneReasonAreOneLineOfTheLog() {
    List<MessageRecord.Form> read = new ArrayList<>();
    for (long position = 1; position <= HIGH; position++) {
      read.add(mapping.of(message(position)));
    }
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(lines, true, UTF_8));
    try {
      Batch.of(read, new Slots(1), Map.of("t", "no such topic"), log);
    } finally {
      System.setErr(before);
    }
    assertThat(lines.toString(UTF_8)).containsOnlyOnce("is a dead letter: no such topic");
  }

  private static boolean isDone(PullJournal.Entry entry, LedgerMessage read) {
    return read.equals(SENT_AGAIN)
        ? entry.sent().contains(SENT_AGAIN_IS)
        : entry.frontier().isSettled(read.position());
  }

  private static LedgerMessage message(long position) {
    return new LedgerMessage(position, Message.to("t", "e").key("k" + position % 7).build());
  }

  private static Map<Integer, PullJournal.Entry> after(Slots slots) {
    Map<Integer, PullJournal.Entry> after = new HashMap<>();
    for (int slot = 0; slot < slots.count(); slot++) {
      Frontier frontier = new Frontier(HIGH, Positions.of(5, 9));
      after.put(slot, new PullJournal.Entry(1, null, frontier, null, Set.of(SENT_AGAIN_IS)));
    }
    return after;
  }
}
