// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.impl.LongStringHelper;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.inbox.Received;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class RabbitBindingTest {

  private static final RabbitDeliveries.Place PLACE = new RabbitDeliveries.Place("orders", 7);
  private final RabbitBinding binding = new RabbitBinding("/shop");

  private static Message.Builder message() {
    return Message.to("orders", "order.placed").key("k").payload(new byte[] {1});
  }

  private static Received read(BasicProperties properties) {
    return read(properties, null);
  }

  private static Received read(BasicProperties properties, @Nullable String origin) {
    return RabbitDeliveries.read(
        new RabbitBinding.Reader(),
        PLACE,
        new Delivery(new Envelope(7, false, "x", "forged"), properties, new byte[] {1}),
        origin);
  }

  private static BasicProperties with(Map<String, Object> headers) {
    return new BasicProperties.Builder().contentType("text/plain").headers(headers).build();
  }

  private static Map<String, Object> event(String prefix) {
    return new HashMap<>(
        Map.of(
            prefix + "specversion",
            LongStringHelper.asLongString("1.0"),
            prefix + "id",
            "1",
            prefix + "source",
            "/s",
            prefix + "type",
            "t"));
  }

  @Test
  void messageIsPersistentAndNamedAfterItsId() {
    Message message = message().header("Content-Type", "application/json").build();
    BasicProperties properties = binding.properties(5, message, 0);
    assertThat(properties.getDeliveryMode()).isEqualTo(2);
    assertThat(properties.getMessageId()).isEqualTo(message.id().toString());
    assertThat(properties.getContentType()).isEqualTo("application/json");
    assertThat(properties.getHeaders())
        .containsEntry("cloudEvents_sequence", LongStringHelper.asLongString("0000000000000000005"))
        .doesNotContainKey("content-type");
  }

  @Test
  void headersLargerThanAFrameAreRefusedBeforeTheyBreakTheChannel() {
    Message message = message().header("large", "x".repeat(16_000)).build();
    assertThat(binding.properties(1, message, 131_072)).isNotNull();
    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> binding.properties(1, message, 16_384))
        .withMessageContaining("frame_max");
  }

  @Test
  void contentTypeThatIsNoShortStringIsRefused() {
    Message message = message().header("content-type", "a/" + "ü".repeat(127)).build();
    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> binding.properties(1, message, 0))
        .withMessageContaining("content type has 256 bytes");
  }

  @Test
  void attributesWithAColonAreReadToo() {
    assertThat(read(with(event("cloudEvents:"))).id()).isEqualTo("1");
    assertThat(read(with(event("cloudEvents_"))).source()).isEqualTo("/s");
  }

  @Test
  void bothPrefixesAtOnceDoNotHideWhoTheMessageIs() {
    Map<String, Object> both = event("cloudEvents_");
    both.putAll(event("cloudEvents:"));
    both.put("cloudEvents:id", "forged");
    assertThat(read(with(both)).id()).isEqualTo("1");
  }

  @Test
  void valuesOfAllKindsAreTextAndWhatInstructedTheBrokerIsLeftOut() {
    Map<String, Object> headers = event("cloudEvents_");
    Date time = Date.from(Instant.parse("2026-01-02T03:04:05Z"));
    headers.put("cloudEvents_time", time);
    headers.put("cloudEvents_dataversion", 3);
    headers.put("yes", true);
    headers.put("bytes", "ü".getBytes(UTF_8));
    headers.put("broken", LongStringHelper.asLongString(new byte[] {(byte) 0xff}));
    headers.put("x-death", List.of(Map.of("count", 1L)));
    headers.put("nothing", null);
    headers.put("x-delivery-count", 3L);
    headers.put("x-first-death-reason", "expired");
    Received received = read(with(headers));
    assertThat(received.time()).isEqualTo(time.toInstant());
    assertThat(received.version()).isEqualTo(3);
    assertThat(received.headers())
        .isEqualTo(
            Map.of(
                "yes",
                "true",
                "bytes",
                "ü",
                "content-type",
                "text/plain",
                "x-first-death-reason",
                "expired"));
  }

  @Test
  void identityIsTheQueuesAndNotTheRoutingKeys() {
    Received received = read(with(event("cloudEvents_")));
    assertThat(received.topic()).isEqualTo("orders");
    assertThat(received.inboxId().source()).isEqualTo("orders /s");
    Received renamed = read(with(event("cloudEvents_")), "old");
    assertThat(renamed.topic()).isEqualTo("orders");
    assertThat(renamed.inboxId().source()).isEqualTo("old /s");
  }

  @Test
  void messageWithoutHeadersIsNoCloudEvent() {
    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> read(new BasicProperties()))
        .withMessageStartingWith("OUT-014 delivery 7 of queue orders is not a CloudEvent");
  }
}
