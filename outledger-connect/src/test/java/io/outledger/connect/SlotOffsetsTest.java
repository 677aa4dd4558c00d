// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.relay.PullJournal;
import io.outledger.relay.PullJournal.SentRow;
import io.outledger.relay.Slots;
import io.outledger.store.KnownMessage;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlotOffsetsTest {

  @Test
  void aSourcePartitionHasOneEntry() {
    assertThat(new SlotOffsets("shop", "kafka", new Slots(4)).partition(3))
        .isEqualTo(Map.of("slot", "shop/kafka/3/4"));
  }

  @Test
  void anOffsetIsReadAsItWasWritten() {
    PullJournal.Entry entry =
        new PullJournal.Entry(
            3,
            "16384",
            new Frontier(100, Positions.of(3, 4, 5, 9)),
            new KnownMessage(100, new UUID(1, 2)),
            Set.of(
                new SentRow(new KnownMessage(7, new UUID(3, 4)), Instant.EPOCH),
                new SentRow(new KnownMessage(7, new UUID(5, 6)), Instant.EPOCH.plusNanos(1_000))));
    Map<String, Object> offset = new HashMap<>(SlotOffsets.offset(entry));
    assertThat(offset)
        .containsEntry("open", "3-5,9")
        .containsEntry(
            "sent",
            "7/00000000-0000-0003-0000-000000000004/1970-01-01T00:00:00Z,"
                + "7/00000000-0000-0005-0000-000000000006/1970-01-01T00:00:00.000001Z");
    assertThat(SlotOffsets.entry(offset)).contains(entry);
    offset.put("high", 100); // as another converter may read it
    assertThat(SlotOffsets.entry(offset)).contains(entry);
  }

  @ParameterizedTest
  @ValueSource(strings = {"7-8,12", "7/00000000-0000-0003-0000-000000000004"})
  void offsetThatDoesNotSayWhichRowsWereSentIsToldWhatToDo(String sent) {
    Map<String, Object> offset = Map.of("epoch", 3, "high", 100, "open", "3-5,9", "sent", sent);
    assertThatThrownBy(() -> SlotOffsets.entry(offset))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("outledger_parked")
        .hasMessageContaining("\"position/id/parked_at\"");
  }

  @Test
  void noOffsetIsNoEntry() {
    assertThat(SlotOffsets.entry(null)).isEmpty();
  }
}
