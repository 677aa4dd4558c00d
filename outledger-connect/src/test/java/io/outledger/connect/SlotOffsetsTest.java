// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.relay.PullJournal;
import io.outledger.relay.Slots;
import io.outledger.store.KnownMessage;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.Test;

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
            Set.of(new KnownMessage(7, new UUID(3, 4)), new KnownMessage(7, new UUID(5, 6))));
    Map<String, Object> offset = new HashMap<>(SlotOffsets.offset(entry));
    assertThat(offset)
        .containsEntry("open", "3-5,9")
        .containsEntry(
            "sent",
            "7/00000000-0000-0003-0000-000000000004,7/00000000-0000-0005-0000-000000000006");
    assertThat(SlotOffsets.entry(offset)).contains(entry);
    offset.put("high", 100); // as another converter may read it
    assertThat(SlotOffsets.entry(offset)).contains(entry);
  }

  @Test
  void offsetThatSaysWhatWasSentWithoutIdsIsToldWhatToDo() {
    Map<String, Object> offset = Map.of("epoch", 3, "high", 100, "open", "3-5,9", "sent", "7-8,12");
    assertThatThrownBy(() -> SlotOffsets.entry(offset))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("sent names positions without ids")
        .hasMessageContaining("outledger_parked")
        .hasMessageContaining("\"position/id\"");
  }

  @Test
  void noOffsetIsNoEntry() {
    assertThat(SlotOffsets.entry(null)).isEmpty();
  }
}
