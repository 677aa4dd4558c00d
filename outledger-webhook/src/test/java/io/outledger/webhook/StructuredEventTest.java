// SPDX-License-Identifier: Apache-2.0
package io.outledger.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.cloudevents.ReceivedHeaders;
import io.outledger.cloudevents.ReservedHeaders;
import io.outledger.cloudevents.TransportMessage;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StructuredEventTest {

  private static final Map.Entry<String, String> ID = Map.entry("id", "7");

  @SuppressWarnings("ArrayRecordComponent")
  private record Anything(String topic, String key, byte[] payload, String origin)
      implements TransportMessage {
    @Override
    public String place() {
      return "an event";
    }
  }

  private static ReceivedHeaders headers() {
    return new ReceivedHeaders(new Anything("t", "k", new byte[0], "o"), ReservedHeaders.NONE);
  }

  private static byte[] readBack(byte[] payload, @Nullable String contentType) throws IOException {
    byte[] body =
        StructuredEvent.write(
            contentType == null ? List.of(ID) : List.of(ID, Map.entry("content-type", contentType)),
            payload);
    ReceivedHeaders headers = headers();
    byte[] read = StructuredEvent.read(body, headers);
    assertThat(headers.texts()).containsEntry("id", "7");
    return read;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "{\"a\": 1.10, \"b\" : [ true,null , \"x\\u0041\" ] }",
        "1",
        "-1.50e+07",
        "\"\"",
        "\"schlüssel 🔑\"",
        "true",
        "null",
        "[1,\n 2]",
        "{\"a\":1,\"b\":{\"c\":[]}}"
      })
  void jsonIsReadableInTheEventAndComesBackByteForByte(String json) throws IOException {
    String body = new String(StructuredEvent.write(List.of(ID), json.getBytes(UTF_8)), UTF_8);
    assertThat(body).contains("\"data\":" + json).doesNotContain("data_base64");
    assertThat(readBack(json.getBytes(UTF_8), null)).isEqualTo(json.getBytes(UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {" {}", "{} ", "{}{}", "{", "tru", "hello", "{\"a\":1,}", "\u0000"})
  void whatIsNotOneJsonValueComesBackByteForByte(String text) throws IOException {
    String body = new String(StructuredEvent.write(List.of(ID), text.getBytes(UTF_8)), UTF_8);
    assertThat(body).contains("data_base64");
    assertThat(readBack(text.getBytes(UTF_8), null)).isEqualTo(text.getBytes(UTF_8));
  }

  @Test
  void jsonOfAnotherTypeIsBytes() throws IOException {
    byte[] payload = "{}".getBytes(UTF_8);
    List<Map.Entry<String, String>> headers = List.of(ID, Map.entry("content-type", "text/plain"));
    assertThat(new String(StructuredEvent.write(headers, payload), UTF_8)).contains("data_base64");
    assertThat(readBack(payload, "application/vnd.shop+json; charset=utf-8")).isEqualTo(payload);
  }

  @Test
  void anyBytesComeBack() throws IOException {
    Random random = new Random(7);
    for (int i = 0; i < 500; i++) {
      byte[] payload = new byte[random.nextInt(40)];
      random.nextBytes(payload);
      assertThat(readBack(payload, i % 2 == 0 ? null : "application/json")).isEqualTo(payload);
    }
  }

  @Test
  void headersThatAreNoAttributesComeBackToo() throws IOException {
    List<Map.Entry<String, String>> written =
        List.of(
            ID, Map.entry("tenant", "a=b"), Map.entry("X-Trace", "\"é\""), Map.entry("data", "d"));
    ReceivedHeaders headers = headers();
    StructuredEvent.read(StructuredEvent.write(written, new byte[0]), headers);
    assertThat(headers.texts())
        .containsOnly(
            ID, Map.entry("tenant", "a=b"), Map.entry("X-Trace", "\"é\""), Map.entry("data", "d"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "7",
        "{\"id\":\"1\"",
        "{\"id\":\"1\"}x",
        "{\"id\":\"1\",\"id\":\"2\"}",
        "{\"id\":{}}",
        "{\"data\":1,\"data_base64\":\"AA==\"}",
        "{\"data_base64\":\"%\"}",
        "{\"outledgerheaders\":\"{\\\"id\\\":\\\"2\\\"}\"}",
        "{\"outledgerheaders\":\"[]\"}"
      })
  void whatIsNotInTheFormatIsRefused(String body) {
    assertThatThrownBy(() -> StructuredEvent.read(body.getBytes(UTF_8), headers()))
        .isInstanceOf(IOException.class);
  }

  @Test
  void eventOfAnotherImplementationIsRead() throws IOException {
    ReceivedHeaders headers = headers();
    byte[] payload =
        StructuredEvent.read(
            """
            { "specversion" : "1.0", "comexampleothervalue": 5, "unsetextension": null,
              "datacontenttype" : "application/json",
              "data" : { "much": "wow" }
            }
            """
                .getBytes(UTF_8),
            headers);
    assertThat(new String(payload, UTF_8)).isEqualTo("{ \"much\": \"wow\" }");
    assertThat(headers.texts())
        .containsOnly(
            Map.entry("specversion", "1.0"),
            Map.entry("comexampleothervalue", "5"),
            Map.entry("content-type", "application/json"));
  }
}
