// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static io.outledger.kafka.SteppedReceiver.ZERO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.log.QuietLog;
import io.outledger.testing.SettableClock;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where a group without offsets starts. */
final class ReceiverOffsetsTest {

  private final FailingConsumer consumer = new FailingConsumer();
  private final ReceiverOffsets offsets =
      new ReceiverOffsets(
          consumer, new QuietLog(ReceiverOffsets.class, "receiver group", new SettableClock()));

  @BeforeEach
  void assign() {
    consumer.subscribe(List.of("orders"));
    consumer.updateBeginningOffsets(Map.of(ZERO, 3L));
    consumer.updateEndOffsets(Map.of(ZERO, 7L));
    consumer.rebalance(List.of(ZERO));
  }

  @Test
  void startAtTheNewestIsCommittedBeforeAnythingIsReceived() {
    offsets.startAt(List.of(ZERO), true);
    offsets.commit();
    assertThat(consumer.committed).containsEntry(ZERO, 7L);
    assertThat(consumer.position(ZERO)).isEqualTo(7);
  }

  @Test
  void startAtTheOldestIsCommittedBeforeAnythingIsReceived() {
    offsets.startAt(List.of(ZERO), false);
    offsets.commit();
    assertThat(consumer.committed).containsEntry(ZERO, 3L);
  }

  @Test
  void newestThatTheBrokerDoesNotTellIsNotStartedAt() {
    consumer.endsUnknown = true;
    assertThatThrownBy(() -> offsets.startAt(List.of(ZERO), true))
        .isInstanceOf(TimeoutException.class);
    assertThatThrownBy(() -> consumer.position(ZERO))
        .isInstanceOf(NoOffsetForPartitionException.class);
  }
}
