// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.store.LedgerMessage;
import java.util.Map;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.internal.AbstractRecords;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageRecordTest {

  private final MessageRecord mapping =
      new MessageRecord(new TopicName("shop.{topic}"), "/shop", 1_000);

  private MessageRecord.Form form(Message message) {
    return mapping.of(new LedgerMessage(7, message));
  }

  @Test
  void aMessageIsACloudEventInBytes() {
    Message message = Message.to("orders", "order.placed").key("k").payload(new byte[] {1}).build();
    SourceRecord written = form(message).at(Map.of(), Map.of());
    assertThat(written.topic()).isEqualTo("shop.orders");
    assertThat(written.key()).isEqualTo("k".getBytes(UTF_8));
    assertThat(written.value()).isEqualTo(new byte[] {1});
    assertThat(written.kafkaPartition()).isNull();
    assertThat(written.headers().lastWithName("ce_source").value())
        .isEqualTo("/shop".getBytes(UTF_8));
    assertThat(written.headers().lastWithName("ce_sequence").value())
        .isEqualTo("0000000000000000007".getBytes(UTF_8));
  }

  @Test
  void aTombstoneHasNoValue() {
    Message message = Message.to("orders", "order.deleted").key("k").tombstone().build();
    assertThat(form(message).at(Map.of(), Map.of()).value()).isNull();
  }

  @Test
  void whatCannotBeSentIsToldBefore() {
    assertThat(form(Message.to("orders", "t").payload(new byte[1_000]).build()).refused())
        .contains("record.bytes.max");
    assertThat(form(Message.to("a b", "t").build()).refused()).contains("no topic named");
    assertThat(form(Message.to("orders", "t").header("ce_id", "x").build()).refused())
        .contains("reserved");
    assertThat(form(Message.to("orders", "t").build()).refused()).isNull();
  }

  /** By what a producer compares with its max.request.size. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100})
  void aRecordThatIsNotRefusedIsNotLargerThanAllowed(int headers) {
    int bytesMax = 4_000;
    MessageRecord bounded = new MessageRecord(new TopicName("t"), "/shop", bytesMax);
    int largest = 0;
    for (int bytes = 0; bytes < bytesMax; bytes++) {
      Message.Builder message = Message.to("orders", "t").key("k").payload(new byte[bytes]);
      for (int i = 0; i < headers; i++) {
        message.header("h" + i, "v");
      }
      MessageRecord.Form form = bounded.of(new LedgerMessage(7, message.build()));
      if (form.refused() == null) {
        largest = bytes;
        assertThat(size(form.at(Map.of(), Map.of()))).isLessThanOrEqualTo(bytesMax);
      }
    }
    assertThat(largest).isPositive();
  }

  private static int size(SourceRecord record) {
    RecordHeaders headers = new RecordHeaders();
    record.headers().forEach(each -> headers.add(each.key(), (byte[]) each.value()));
    return AbstractRecords.estimateSizeInBytesUpperBound(
        RecordBatch.CURRENT_MAGIC_VALUE,
        CompressionType.NONE,
        (byte[]) record.key(),
        (byte[]) record.value(),
        headers.toArray());
  }
}
