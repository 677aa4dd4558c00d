// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.relay.PullJournal;
import io.outledger.relay.Slots;
import io.outledger.store.KnownMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

/** When a slot's source offset is moved without a message. */
class HeartbeatsTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final SlotOffsets offsets = new SlotOffsets("shop", "kafka", new Slots(2));
  private final Heartbeats heartbeats = new Heartbeats(offsets, "beats");

  private static PullJournal.Entry entry(long high, Positions open) {
    return new PullJournal.Entry(1, null, new Frontier(high, open), null, Set.of());
  }

  private static PullJournal.Entry entryAfter(UUID sent) {
    return new PullJournal.Entry(
        1,
        null,
        new Frontier(7, Positions.NONE),
        null,
        Set.of(new PullJournal.SentRow(new KnownMessage(3, sent), Instant.EPOCH)));
  }

  private static PullJournal.Entry entry(long high) {
    return entry(high, Positions.NONE);
  }

  private List<SourceRecord> due(PullJournal.Entry entry, long now) {
    return heartbeats.due(Map.of(0, entry), now);
  }

  private SourceRecord message(PullJournal.Entry entry) {
    return new SourceRecord(
        offsets.partition(0), SlotOffsets.offset(entry), "orders", null, new byte[0]);
  }

  private void carries(PullJournal.Entry entry, long now) {
    heartbeats.carried(0, entry, now);
    heartbeats.arrived(message(entry));
  }

  /** Connect keeps each record in memory until a transaction is committed. */
  @Test
  void aSlotWhoseMessagesAreAllDroppedHasOneASecond() {
    int beats = 0;
    for (int i = 0; i <= 30; i++) {
      PullJournal.Entry entry = entry(7 + i);
      heartbeats.carried(0, entry, i * SECOND / 10);
      beats += due(entry, i * SECOND / 10).size();
    }
    assertThat(beats).isBetween(2, 3);
    assertThat(due(entry(37), 9 * SECOND)).hasSize(1);
    assertThat(due(entry(37), 19 * SECOND)).isEmpty(); // nothing was dropped since
  }

  @Test
  void whatHasArrivedIsTheLastThatACommittedRecordCarried() {
    assertThat(heartbeats.arrived(0)).isEmpty();
    heartbeats.carried(0, entry(7), 5);
    assertThat(heartbeats.arrived(0)).isEmpty();
    heartbeats.arrived(message(entry(7)));
    heartbeats.carried(0, entry(9), 6); // which a transformation drops
    assertThat(heartbeats.arrived(0)).contains(entry(7));
    SourceRecord beat = due(entry(9), 7 + SECOND).get(0);
    assertThat(heartbeats.arrived(0)).contains(entry(7));
    heartbeats.arrived(beat);
    assertThat(heartbeats.arrived(0)).contains(entry(9));
    assertThat(heartbeats.arrived(1)).isEmpty();
  }

  @Test
  void aSlotThatSendsMessagesHasNone() {
    for (int i = 0; i <= 30; i++) {
      PullJournal.Entry entry = entry(7 + i);
      heartbeats.carried(0, entry, i * 2 * SECOND);
      assertThat(due(entry, i * 2 * SECOND)).isEmpty();
      heartbeats.arrived(message(entry));
    }
  }

  @Test
  void aSlotWhoseOffsetNobodyKnowsHasOneAtOnce() {
    List<SourceRecord> due = heartbeats.due(Map.of(0, entry(7), 1, entry(9)), 5);
    assertThat(due).extracting(SourceRecord::topic).containsExactly("beats", "beats");
    assertThat(due)
        .anySatisfy(
            each -> {
              assertThat(each.sourcePartition()).isEqualTo(offsets.partition(1));
              assertThat(SlotOffsets.entry(each.sourceOffset())).contains(entry(9));
            });
  }

  @Test
  void itIsDueOnceASecondWhereTheFrontierHasMoved() {
    carries(entry(7), 5);
    assertThat(due(entry(8), 4 + SECOND)).isEmpty();
    assertThat(due(entry(8), 5 + SECOND)).hasSize(1);
    assertThat(due(entry(8), 9 + 9 * SECOND)).isEmpty();
    assertThat(due(entry(8, Positions.of(8)), 9 + 9 * SECOND)).hasSize(1);
  }

  @Test
  void whatWasSentOnRequestIsPartOfIt() {
    carries(entryAfter(new UUID(1, 2)), 5);
    assertThat(due(entry(7), 5 + SECOND)).hasSize(1);
    assertThat(due(entryAfter(new UUID(1, 3)), 5 + 2 * SECOND)).hasSize(1);
  }

  @Test
  void theLastMessageAloneIsNoReason() {
    carries(entry(7), 5);
    PullJournal.Entry later =
        new PullJournal.Entry(
            1,
            "42",
            new Frontier(7, Positions.NONE),
            new KnownMessage(7, new UUID(1, 2)),
            Set.of());
    assertThat(due(later, 5 + SECOND)).isEmpty();
  }

  @Test
  void whatWasWithheldIsDueAgainAfterASecond() {
    Map<Integer, PullJournal.Entry> after = Map.of(0, entry(7));
    assertThat(heartbeats.isDue(after, 5)).isTrue();
    heartbeats.withheld(5);
    assertThat(heartbeats.isDue(after, 4 + SECOND)).isFalse();
    assertThat(heartbeats.isDue(after, 5 + SECOND)).isTrue();
    assertThat(heartbeats.due(after, 5 + SECOND)).hasSize(1);
  }
}
