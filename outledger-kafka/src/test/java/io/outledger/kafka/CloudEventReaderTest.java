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
import org.junit.jupiter.params.provider.ValueSource;

final class CloudEventReaderTest {

  private static final ReceiverChoices LENIENT =
      ReceiverChoices.DEFAULT.withForeign(ForeignRecords.IDENTIFY_BY_OFFSET);

  private final CloudEventReader reader = new CloudEventReader(ReceiverChoices.DEFAULT);

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
    List<Header> sent = new CloudEventHeaders("/shop").write(5, message);
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

  @ParameterizedTest
  @ValueSource(strings = {"ce_specversion", "ce_id", "ce_source", "ce_type"})
  void recordWithoutARequiredAttributeIsNoCloudEvent(String name) {
    Map<String, String> attributes = Records.attributes("1");
    attributes.remove(name);
    assertThatThrownBy(() -> reader.read(Records.with("orders", 0, 7, attributes)))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("orders-0@7")
        .hasMessageContaining(name);
  }

  @ParameterizedTest
  @CsvSource({
    "ce_specversion, 0.3",
    "ce_dataversion, 0",
    "ce_dataversion, -1",
    "ce_dataversion, 99999999999",
    "ce_dataversion, two",
    "ce_id, '  '"
  })
  void attributeThatCannotBeReadIsRefused(String name, String value) {
    assertThatThrownBy(() -> reader.read(with(name, value)))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("orders-0@7");
  }

  @Test
  void identityThatNoDatabaseCouldStoreIsRefused() {
    assertThatThrownBy(() -> reader.read(with("ce_id", "x".repeat(501))))
        .isInstanceOf(InvalidMessageException.class);
    assertThatThrownBy(() -> reader.read(with("ce_id", "a\0b")))
        .isInstanceOf(InvalidMessageException.class);
    assertThatThrownBy(() -> reader.read(with("ce_source", "x".repeat(201))))
        .isInstanceOf(InvalidMessageException.class);
    assertThatThrownBy(() -> reader.read(with("ce_type", "x".repeat(201))))
        .isInstanceOf(InvalidMessageException.class);
  }

  @Test
  void versionAndTimeMayBeMissing() {
    Received received = reader.read(with("ce_time", "yesterday"));
    assertThat(received.version()).isEqualTo(1);
    assertThat(received.time()).isNull();
    assertThat(received.key()).isEqualTo("key");
  }

  @Test
  void headersThatAreNotTextAreLeftOutUnlessTheyIdentify() {
    ConsumerRecord<byte[], byte[]> record = with("tenant", "a");
    record.headers().add("binary", new byte[] {(byte) 0xc3, (byte) 0x28});
    record.headers().add("none", null);
    assertThat(reader.read(record).headers()).containsOnlyKeys("tenant");
    record.headers().add("ce_id", new byte[] {(byte) 0xc3, (byte) 0x28});
    assertThatThrownBy(() -> reader.read(record)).isInstanceOf(InvalidMessageException.class);
  }

  @Test
  void traceOfOtherSendersIsFoundUnderItsCloudEventsName() {
    Received received = reader.read(with("ce_traceparent", "00-a-b-01"));
    assertThat(received.headers()).containsEntry("traceparent", "00-a-b-01").hasSize(1);
  }

  @Test
  void foreignRecordIsIdentifiedByItsPlaceWhereThatWasChosen() {
    CloudEventReader lenient = new CloudEventReader(LENIENT);
    Received received = lenient.read(Records.foreign("orders", 2, 7));
    assertThat(received.id()).isEqualTo("orders-2-7-" + Records.TIMESTAMP);
    assertThat(received.source()).isEqualTo("/kafka");
    assertThat(received.type()).isEqualTo("orders");
    assertThat(received.payload()).isEqualTo("payload".getBytes(UTF_8));
    assertThat(lenient.read(Records.event("orders", 0, 1)).id()).isEqualTo("1");
  }

  @ParameterizedTest
  @CsvSource({"ce_dataversion, two", "ce_type, ' '", "ce_source, ''", "ce_specversion, 2.0"})
  void badAttributeStopsNoPartitionWhereRecordsAreIdentifiedByTheirPlace(
      String name, String value) {
    CloudEventReader lenient = new CloudEventReader(LENIENT);
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
    CloudEventReader named = new CloudEventReader(ReceiverChoices.DEFAULT.withOrigin("shop"));
    assertThat(named.read(Records.event("eu.orders", 0, 7)).inboxId())
        .isEqualTo(named.read(Records.event("orders", 1, 7)).inboxId());
    CloudEventReader lenient = new CloudEventReader(LENIENT);
    Received foreign = lenient.read(Records.foreign("orders", 2, 7));
    Map<String, String> attributes = Records.attributes(foreign.id());
    attributes.put("ce_source", foreign.source());
    Received forged = lenient.read(Records.with("orders", 0, 8, attributes));
    assertThat(forged.id()).isEqualTo(foreign.id());
    assertThat(forged.inboxId()).isNotEqualTo(foreign.inboxId());
  }

  @Test
  void ofTwoIdentitiesNoneIsTaken() {
    for (String name : List.of("ce_id", "ce_source", "ce_type", "ce_specversion")) {
      ConsumerRecord<byte[], byte[]> record = Records.event("orders", 0, 7);
      record.headers().add(name, "1.0".getBytes(UTF_8));
      assertThatThrownBy(() -> reader.read(record))
          .isInstanceOf(InvalidMessageException.class)
          .hasMessageContaining("more than one " + name);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"+1000000000-01-01T00:00:00Z", "-000001-01-01T00:00:00Z"})
  void timeThatNoDatabaseCanWriteIsNone(String time) {
    assertThat(reader.read(with("ce_time", time)).time()).isNull();
  }

  @Test
  void textThatNoDatabaseCouldStoreIsNoText() {
    assertThatThrownBy(() -> reader.read(with("ce_type", "a\0b")))
        .isInstanceOf(InvalidMessageException.class);
    assertThat(reader.read(with("tenant", "a\0b")).headers()).isEmpty();
    assertThat(reader.read(with("ce_partitionkey", "a\0b")).key()).isEqualTo("key");
  }

  @Test
  void tombstoneIsToldFromAnEmptyPayload() {
    assertThat(reader.read(Records.tombstone("orders", 0, 7)).headers())
        .containsEntry(KafkaReceiver.TOMBSTONE_HEADER, "true");
    assertThat(reader.read(with(KafkaReceiver.TOMBSTONE_HEADER, "true")).headers()).isEmpty();
  }

  @Test
  void tooLargeOrWithTooManyHeadersIsNotReceived() {
    CloudEventReader small = new CloudEventReader(ReceiverChoices.DEFAULT.withRecordBytesMax(1));
    assertThatThrownBy(() -> small.read(Records.event("orders", 0, 7)))
        .hasMessageContaining("orders-0@7")
        .hasMessageContaining("the limit is 1");
    ConsumerRecord<byte[], byte[]> many = Records.event("orders", 0, 7);
    for (int i = 0; i < 1_001; i++) {
      many.headers().add("h" + i, null);
    }
    assertThatThrownBy(() -> reader.read(many)).hasMessageContaining("more headers");
    ConsumerRecord<byte[], byte[]> large = Records.event("orders", 0, 7);
    large.headers().add("h", new byte[70_000]);
    assertThatThrownBy(() -> reader.read(large)).hasMessageContaining("more headers");
  }
}
