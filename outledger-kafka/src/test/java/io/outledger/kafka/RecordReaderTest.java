// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.inbox.Received;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kafka's own rules for records; those of CloudEvents have tests in the core. */
final class RecordReaderTest {

  private static final ReceiverChoices LENIENT =
      ReceiverChoices.DEFAULT.withForeign(ForeignRecords.IDENTIFY_BY_OFFSET);

  private final RecordReader reader = new RecordReader(ReceiverChoices.DEFAULT, null);
  private final RecordReader lenient = new RecordReader(LENIENT, null);

  private static ConsumerRecord<byte[], byte[]> with(String name, String value) {
    Map<String, String> attributes = Records.attributes("1");
    attributes.put(name, value);
    return Records.with("orders", 0, 7, attributes);
  }

  @Test
  void whatThePublisherWritesIsReadAsItWas() {
    String trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    Message message =
        Message.to("orders", "order.placed")
            .version(3)
            .key("ö")
            .payload(new byte[] {0, (byte) 0xff})
            .time(Instant.parse("2026-01-02T03:04:05.678901Z"))
            .header("content-type", "application/json")
            .header("traceparent", trace)
            .header("tenant", "grün")
            .build();
    List<Header> sent = KafkaBinding.writer("/shop").write(5, message);
    Received received =
        reader.read(
            new ConsumerRecord<>(
                "o",
                0,
                9,
                0,
                TimestampType.CREATE_TIME,
                1,
                1,
                "ö".getBytes(UTF_8),
                message.payload(),
                new RecordHeaders(sent),
                Optional.empty()));
    assertThat(received.id()).isEqualTo(message.id().toString());
    assertThat(received.source()).isEqualTo("/shop");
    assertThat(received.topic()).isEqualTo("o");
    assertThat(received.key()).isEqualTo("ö");
    assertThat(received.type()).isEqualTo("order.placed");
    assertThat(received.version()).isEqualTo(3);
    assertThat(received.payload()).isEqualTo(message.payload());
    assertThat(received.time()).isEqualTo(message.time());
    assertThat(received.headers())
        .isEqualTo(
            Map.of(
                "content-type", "application/json",
                "traceparent", trace,
                "tenant", "grün",
                "ce_sequence", "0000000000000000005"));
  }

  @Test
  void errorNamesTheRecordByItsPlace() {
    assertThatThrownBy(() -> reader.read(Records.foreign("orders", 0, 7)))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining(
            "record orders-0@7 is not a CloudEvent 1.x in binary mode: ce_specversion is missing");
  }

  @Test
  void recordsKeyIsTheMessagesWhereTheSenderNamesNone() {
    assertThat(reader.read(Records.event("orders", 0, 7)).key()).isEqualTo("key");
    assertThat(reader.read(with("ce_partitionkey", "other")).key()).isEqualTo("other");
  }

  @Test
  void foreignRecordIsIdentifiedByItsPlaceWhereThatWasChosen() {
    Received received = lenient.read(Records.foreign("orders", 2, 7));
    assertThat(received.id()).isEqualTo("orders-2-7-" + Records.TIMESTAMP);
    assertThat(received.source()).isEqualTo("/kafka");
    assertThat(received.type()).isEqualTo("orders");
    assertThat(received.key()).isEqualTo("key");
    assertThat(received.time()).isEqualTo(Instant.ofEpochMilli(Records.TIMESTAMP));
    assertThat(received.headers()).isEqualTo(Map.of("anything", "text"));
    assertThat(received.payload()).isEqualTo("payload".getBytes(UTF_8));
    assertThat(lenient.read(Records.event("orders", 0, 1)).id()).isEqualTo("1");
  }

  @ParameterizedTest
  @CsvSource({"ce_dataversion, two", "ce_type, ' '", "ce_source, ''", "ce_specversion, 2.0"})
  void badAttributeStopsNoPartitionWhereRecordsAreIdentifiedByTheirPlace(
      String name, String value) {
    assertThat(lenient.read(with(name, value)).id()).startsWith("orders-0-7-");
    assertThat(lenient.read(with("ce_id", "x".repeat(501))).id()).startsWith("orders-0-7-");
    assertThat(lenient.read(with("ce_type", "a\0b")).type()).isEqualTo("orders");
  }

  @Test
  void whatASenderSaysOfItselfIsNotTheWholeIdentity() {
    Received ours = reader.read(Records.event("orders", 0, 7));
    Received forged = reader.read(Records.event("public", 0, 7));
    assertThat(forged.id()).isEqualTo(ours.id());
    assertThat(forged.source()).isEqualTo(ours.source()).isEqualTo("/test");
    assertThat(forged.inboxId()).isNotEqualTo(ours.inboxId());
  }

  @Test
  void namedOriginSurvivesAMirrorAndIsNoPlaceOfARecord() {
    RecordReader named = new RecordReader(ReceiverChoices.DEFAULT, "shop");
    assertThat(named.read(Records.event("eu.orders", 0, 7)).inboxId())
        .isEqualTo(named.read(Records.event("orders", 1, 7)).inboxId());
    Received foreign = lenient.read(Records.foreign("orders", 2, 7));
    Map<String, String> attributes = Records.attributes(foreign.id());
    attributes.put("ce_source", foreign.source());
    Received forged = lenient.read(Records.with("orders", 0, 8, attributes));
    assertThat(forged.id()).isEqualTo(foreign.id());
    assertThat(forged.inboxId()).isNotEqualTo(foreign.inboxId());
  }

  /** Whatever identifies the record: its key is one of the topic's, or of the named place. */
  @Test
  void keyBelongsToItsTopicUnlessThatHasAnotherName() {
    assertThat(reader.read(Records.event("orders", 0, 7)).keySpace()).isEqualTo("orders");
    assertThat(lenient.read(Records.foreign("orders", 2, 7)).keySpace()).isEqualTo("orders");
    RecordReader named = new RecordReader(ReceiverChoices.DEFAULT, "shop");
    assertThat(named.read(Records.event("eu.orders", 0, 7)).keySpace()).isEqualTo("shop");
  }

  @Test
  void tombstoneIsToldFromAnEmptyPayload() {
    Received tombstone = reader.read(Records.tombstone("orders", 0, 7));
    assertThat(tombstone.headers()).containsEntry(Message.TOMBSTONE_HEADER, "true");
    assertThat(tombstone.payload()).isEmpty();
    assertThat(reader.read(with(Message.TOMBSTONE_HEADER, "true")).headers()).isEmpty();
  }

  @Test
  void tooLargeOrWithTooManyHeadersIsNotReceivedWhateverTheChoice() {
    RecordReader small = new RecordReader(LENIENT.withRecordBytesMax(1), null);
    assertThatThrownBy(() -> small.read(Records.event("orders", 0, 7)))
        .hasMessageContaining("record orders-0@7 has 2 bytes, but the limit is 1");
    ConsumerRecord<byte[], byte[]> many = Records.event("orders", 0, 7);
    for (int i = 0; i < 1_001; i++) {
      many.headers().add("h" + i, null);
    }
    assertThatThrownBy(() -> lenient.read(many))
        .hasMessageContaining("record orders-0@7 has more headers");
  }
}
