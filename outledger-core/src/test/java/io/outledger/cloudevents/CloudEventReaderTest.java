// SPDX-License-Identifier: Apache-2.0
package io.outledger.cloudevents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.inbox.Received;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CloudEventReaderTest {

  private static final String SECRET = "s3cret";

  private final CloudEventReader reader = new CloudEventReader("ce_");

  private Received read(String name, String value) {
    return reader.read(Arrival.ONE, Arrival.headers(name, value));
  }

  @Test
  void whatTheReceiverKnowsIsTakenFromIt() {
    Received received = read("ce_subject", "order 1");
    assertThat(received.topic()).isEqualTo("orders");
    assertThat(received.origin()).isEqualTo("orders-queue");
    assertThat(received.payload()).isSameAs(Arrival.ONE.payload());
    assertThat(received.headers()).isEqualTo(Map.of("ce_subject", "order 1"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ce_specversion", "ce_id", "ce_source", "ce_type"})
  void messageWithoutARequiredAttributeIsNoCloudEvent(String name) {
    Map<String, String> attributes = Arrival.attributes();
    attributes.remove(name);
    assertThatThrownBy(() -> reader.read(Arrival.ONE, Arrival.headers(attributes)))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("message 7 of orders")
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
    assertThatThrownBy(() -> read(name, value))
        .isInstanceOfSatisfying(
            InvalidMessageException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_MESSAGE))
        .hasMessageContaining("message 7 of orders");
  }

  @Test
  void identityThatNoDatabaseCouldStoreIsRefused() {
    for (String name : new String[] {"ce_id", "ce_source", "ce_type"}) {
      assertThatThrownBy(() -> read(name, "x".repeat(501)))
          .isInstanceOf(InvalidMessageException.class);
      assertThatThrownBy(() -> read(name, "a\0b")).isInstanceOf(InvalidMessageException.class);
    }
    assertThatThrownBy(() -> read("ce_source", "x".repeat(201)))
        .hasMessageContaining("message 7 of orders cannot be received: ");
    assertThatThrownBy(() -> read("ce_type", "x".repeat(201)))
        .isInstanceOf(InvalidMessageException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ce_specversion", "ce_id", "ce_source", "ce_type", "ce_dataversion"})
  void strangersValueIsInNoText(String name) {
    String value = SECRET + "\n" + SECRET.repeat(200);
    assertThatThrownBy(() -> read(name, value))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageNotContaining(SECRET);
  }

  @Test
  void versionAndTimeMayBeMissing() {
    Received received = read("ce_time", "yesterday");
    assertThat(received.version()).isEqualTo(1);
    assertThat(received.time()).isNull();
  }

  @Test
  void sendersKeyComesBeforeTheBrokers() {
    assertThat(read("ce_partitionkey", "ö").key()).isEqualTo("ö");
    assertThat(read("tenant", "a").key()).isEqualTo("key");
    assertThat(read("ce_partitionkey", "a\0b").key()).isEqualTo("key");
  }

  @Test
  void identityThatIsNoTextIsRefused() {
    ReceivedHeaders headers = Arrival.headers("tenant", "a");
    assertThat(reader.read(Arrival.ONE, headers).headers()).containsOnlyKeys("tenant");
    headers.add("ce_id", new byte[] {(byte) 0xc3, (byte) 0x28});
    assertThatThrownBy(() -> reader.read(Arrival.ONE, headers))
        .isInstanceOf(InvalidMessageException.class);
  }

  @Test
  void traceOfOtherSendersIsFoundUnderItsCloudEventsName() {
    assertThat(read("ce_traceparent", "00-a-b-01").headers())
        .isEqualTo(Map.of("traceparent", "00-a-b-01"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ce_specversion", "ce_id", "ce_source", "ce_type", "ce_dataversion"})
  void ofTwoIdentitiesNoneIsTaken(String name) {
    ReceivedHeaders headers = Arrival.headers("ce_dataversion", "1");
    headers.add(name, "1.0".getBytes(UTF_8));
    assertThatThrownBy(() -> reader.read(Arrival.ONE, headers))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("message 7 of orders has more than one " + name);
  }

  @Test
  void attributesOfAnotherBindingAreNone() {
    assertThatThrownBy(
            () -> new CloudEventReader("ce-").read(Arrival.ONE, Arrival.headers("tenant", "a")))
        .hasMessageContaining("is not a CloudEvent 1.x in binary mode: ce-specversion is missing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"+1000000000-01-01T00:00:00Z", "-000001-01-01T00:00:00Z"})
  void timeThatNoDatabaseCanWriteIsNone(String time) {
    assertThat(read("ce_time", time).time()).isNull();
  }
}
