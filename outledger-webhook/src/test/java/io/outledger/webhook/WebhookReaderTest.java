// SPDX-License-Identifier: Apache-2.0
package io.outledger.webhook;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.Message;
import io.outledger.inbox.Received;
import io.outledger.testing.SettableClock;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.core5.http.Header;
import org.junit.jupiter.api.Test;

class WebhookReaderTest {

  private static final WebhookSecret OLD = WebhookSecret.of("whsec_" + "b2xk".repeat(8));
  private static final WebhookSecret NEW = WebhookSecret.of("whsec_" + "bmV3".repeat(8));
  private static final WebhookEndpoint ENDPOINT =
      WebhookEndpoint.at(URI.create("https://example.org/hook")).signedWith(OLD);
  private static final Message MESSAGE =
      Message.to("orders", "order.placed").key("o-1").payload("{}".getBytes(UTF_8)).build();

  private final SettableClock time = new SettableClock();
  private final WebhookReader reader = WebhookReader.of("shop", OLD).time(time);

  /** A request as it arrives. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Arriving(Map<String, List<String>> headers, byte[] body) {
    Received at(WebhookReader reader) {
      return reader.read(headers, body);
    }

    Arriving with(Consumer<Map<String, List<String>>> change) {
      Map<String, List<String>> changed = new TreeMap<>(headers);
      change.accept(changed);
      return new Arriving(changed, body);
    }
  }

  private Arriving request(WebhookEndpoint endpoint) throws IOException {
    HttpPost post = new RequestBodies("/shop", time).request(endpoint, 7, MESSAGE);
    Map<String, List<String>> headers = new TreeMap<>();
    for (Header header : post.getHeaders()) {
      headers.computeIfAbsent(header.getName(), none -> new ArrayList<>()).add(header.getValue());
    }
    String type = post.getEntity().getContentType();
    if (type != null) {
      headers.put("Content-Type", List.of(type));
    }
    return new Arriving(headers, post.getEntity().getContent().readAllBytes());
  }

  private static void assertRefused(int status, Arriving arriving, WebhookReader reader) {
    assertThatThrownBy(() -> arriving.at(reader))
        .isInstanceOfSatisfying(
            WebhookRefusedException.class, e -> assertThat(e.status()).isEqualTo(status));
  }

  @Test
  void signedMessageIsRead() throws IOException {
    Received received = request(ENDPOINT).at(reader);
    assertThat(received.id()).isEqualTo(MESSAGE.id().toString());
    assertThat(received.key()).isEqualTo("o-1");
    assertThat(received.source()).isEqualTo("/shop");
    assertThat(received.origin()).isEqualTo("shop");
    assertThat(received.payload()).isEqualTo(MESSAGE.payload());
  }

  @Test
  void eitherSecretIsGoodWhileOneReplacesTheOther() throws IOException {
    Arriving both = request(ENDPOINT.signedWith(OLD, NEW));
    both.at(reader);
    both.at(WebhookReader.of("shop", NEW).time(time));
    request(ENDPOINT).at(WebhookReader.of("shop", NEW, OLD).time(time));
    assertRefused(401, request(ENDPOINT), WebhookReader.of("shop", NEW).time(time));
  }

  @Test
  void whatWasChangedOnItsWayIsRefused() throws IOException {
    Arriving sent = request(ENDPOINT);
    byte[] changed = sent.body().clone();
    changed[changed.length - 2] ^= 1;
    assertRefused(401, new Arriving(sent.headers(), changed), reader);
    assertRefused(401, sent.with(h -> h.put("webhook-id", List.of("another"))), reader);
    assertRefused(401, sent.with(h -> h.put("webhook-timestamp", List.of("1"))), reader);
    assertRefused(401, sent.with(h -> h.put("webhook-signature", List.of("v1,"))), reader);
    assertRefused(401, sent.with(h -> h.remove("webhook-signature")), reader);
    assertRefused(
        401,
        sent.with(
            h ->
                h.computeIfPresent(
                    "webhook-signature", (name, own) -> List.of("v1,a", own.get(0)))),
        reader);
  }

  @Test
  void whatWasSignedLongAgoOrLaterIsRefused() throws IOException {
    Arriving sent = request(ENDPOINT);
    time.advance(Duration.ofMinutes(5));
    sent.at(reader);
    time.advance(Duration.ofSeconds(1));
    assertRefused(401, sent, reader);
    sent.at(reader.tolerance(Duration.ofMinutes(10)));
    Arriving later = request(ENDPOINT);
    time.setNow(time.now().minusSeconds(301));
    assertRefused(401, later, reader);
  }

  @Test
  void binaryModeIsReadOnRequestAndFromOneSourceAlone() throws IOException {
    Arriving sent = request(ENDPOINT.binary());
    assertRefused(400, sent, reader);
    assertThat(sent.at(reader.binaryFrom("/shop")).type()).isEqualTo("order.placed");
    assertRefused(400, sent, reader.binaryFrom("/another"));
  }

  /** Else somebody who has copied a request could post it as a new message, again and again. */
  @Test
  void copyUnderAnotherIdIsRefused() throws IOException {
    Arriving copy = request(ENDPOINT.binary()).with(h -> h.put("ce-id", List.of("another")));
    assertRefused(401, copy, reader.binaryFrom("/shop"));
  }

  @Test
  void bodyThatIsTooLargeIsRefused() throws IOException {
    assertRefused(413, request(ENDPOINT), reader.bodyBytesMax(10));
  }

  @Test
  void signedNonsenseIsRefused() {
    assertRefused(400, signed("{\"specversion\":\"1.0\"}".getBytes(UTF_8)), reader);
    assertRefused(400, signed("{\"data\":{\"a\":1}}".getBytes(UTF_16BE)), reader);
  }

  /** As an adapter may make it of a request without the header. */
  @Test
  void contentTypeWithoutAValueIsRefused() {
    Arriving none =
        signed("{}".getBytes(UTF_8)).with(headers -> headers.put("content-type", List.of()));
    assertRefused(400, none, reader);
    assertRefused(400, none, reader.binaryFrom("/shop"));
  }

  private Arriving signed(byte[] body) {
    String now = Long.toString(time.now().getEpochSecond());
    Map<String, List<String>> headers =
        Map.of(
            "content-type", List.of(StructuredEvent.MEDIA_TYPE),
            "webhook-id", List.of("a"),
            "webhook-timestamp", List.of(now),
            "webhook-signature", List.of(OLD.sign("a", now, body)));
    return new Arriving(headers, body);
  }

  @Test
  void readerNeedsASecretAndAnOrigin() {
    assertThatThrownBy(() -> WebhookReader.of("shop")).isInstanceOf(ConfigurationException.class);
    assertThatThrownBy(() -> WebhookReader.of("a b", OLD))
        .isInstanceOf(ConfigurationException.class);
  }

  @Test
  @SuppressWarnings("NullAway") // what a caller without null checks may do
  void nullIsNamed() {
    assertThatThrownBy(() -> reader.read(null, new byte[0]))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("headers");
    assertThatThrownBy(() -> reader.read(Map.of(), null))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("body");
  }
}
