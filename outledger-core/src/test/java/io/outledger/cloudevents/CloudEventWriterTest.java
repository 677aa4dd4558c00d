// SPDX-License-Identifier: Apache-2.0
package io.outledger.cloudevents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CloudEventWriterTest {

  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  private static CloudEventWriter<String> writer(String prefix) {
    return new CloudEventWriter<>(
        prefix,
        "/shop",
        ReservedHeaders.NONE,
        (name, value) -> name + "=" + new String(value, UTF_8));
  }

  private static List<String> written(String prefix, Message.Builder message) {
    return writer(prefix).write(42, message.build());
  }

  private static Message.Builder message() {
    return Message.to("orders", "order.placed");
  }

  @Test
  void attributesComeFirstThenTheMessagesOwnHeaders() {
    UUID id = new UUID(1, 2);
    Message.Builder message =
        message()
            .id(id)
            .version(2)
            .key("ö-1")
            .time(Instant.parse("2026-11-21T01:02:03.000456Z"))
            .header("Content-Type", "application/json")
            .header("tenant", "grün")
            .header("ce_subject", "order 1");
    assertThat(written("ce_", message))
        .containsExactly(
            "ce_specversion=1.0",
            "ce_id=" + id,
            "ce_source=/shop",
            "ce_type=order.placed",
            "ce_time=2026-11-21T01:02:03.000456Z",
            "ce_sequence=0000000000000000042",
            "ce_dataversion=2",
            "ce_partitionkey=ö-1",
            "content-type=application/json",
            "ce_subject=order 1",
            "tenant=grün");
  }

  @Test
  void traceContextIsWrittenUnderBothNames() {
    Message.Builder message = message().header("traceparent", TRACE).header("tracestate", "a=b");
    assertThat(written("ce-", message))
        .contains(
            "traceparent=" + TRACE,
            "ce-traceparent=" + TRACE,
            "tracestate=a=b",
            "ce-tracestate=a=b");
  }

  @Test
  void traceContextIsWrittenOnceWhereTheBindingHasNoPrefix() {
    assertThat(written("", message().header("traceparent", TRACE)))
        .containsOnlyOnce("traceparent=" + TRACE)
        .doesNotHaveDuplicates();
  }

  @Test
  void traceContextWithoutW3csFormIsLeftOut() {
    Message.Builder message =
        message().header("traceparent", TRACE.replace('a', 'A')).header("tracestate", "a=b");
    assertThat(written("ce_", message)).noneMatch(header -> header.contains("trace"));
    Message.Builder long513 =
        message().header("traceparent", TRACE).header("tracestate", "x".repeat(513));
    assertThat(written("ce_", long513)).noneMatch(header -> header.contains("tracestate"));
  }

  @ParameterizedTest
  @CsvSource({
    "ce_, ce_id",
    "ce_, CE_Source",
    "ce_, ce_datacontenttype",
    "ce_, ce_traceparent",
    "ce-, ce-Type",
    "cloudEvents_, cloudevents_time",
    "'', partitionkey",
    "'', SpecVersion"
  })
  void reservedNameIsRefusedInAnyCase(String prefix, String name) {
    assertThatThrownBy(() -> written(prefix, message().header(name, "x")))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("header '" + name + "' is reserved");
  }

  @Test
  void nameThatIsReservedInAnotherBindingIsWritten() {
    assertThat(written("ce_", message().header("id", "x"))).contains("id=x");
    assertThat(written("", message().header("ce_id", "x"))).contains("ce_id=x");
  }

  @Test
  void structuredContentTypeIsRefused() {
    Message.Builder message =
        message().header("Content-type", "Application/CloudEvents-batch+json");
    assertThatThrownBy(() -> written("ce_", message))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("is reserved for structured CloudEvents");
  }

  @Test
  void headerThatTheBrokerCannotCarryIsRefusedByItsForm() {
    CloudEventWriter<String> picky =
        new CloudEventWriter<>(
            "ce_",
            "/shop",
            ReservedHeaders.NONE,
            (name, value) -> {
              if (name.contains("-")) {
                throw new IllegalArgumentException(name);
              }
              return name;
            });
    assertThatThrownBy(() -> picky.write(1, message().header("a-b", "x").build()))
        .hasMessage("a-b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a b", "%"})
  void sourceIsAUriReference(String source) {
    assertThat(CloudEvents.checkedSource("/shop/orders")).isEqualTo("/shop/orders");
    assertThatThrownBy(() -> CloudEvents.checkedSource(source))
        .isInstanceOf(ConfigurationException.class);
    assertThatThrownBy(() -> CloudEvents.checkedSource("x".repeat(201)))
        .isInstanceOf(ConfigurationException.class);
  }
}
