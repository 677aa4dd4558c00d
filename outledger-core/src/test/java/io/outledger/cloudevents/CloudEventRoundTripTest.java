// SPDX-License-Identifier: Apache-2.0
package io.outledger.cloudevents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.MessageLimits;
import io.outledger.inbox.Received;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In each binding, whatever may be appended is read as it was written. */
final class CloudEventRoundTripTest {

  private static final int MESSAGES = 500;
  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  private record Written(String name, @SuppressWarnings("ArrayRecordComponent") byte[] value) {}

  @ParameterizedTest
  @ValueSource(strings = {"ce_", "ce-", "cloudEvents:", "cloudEvents_", ""})
  void whatIsWrittenIsReadAsItWas(String prefix) {
    CloudEventWriter<Written> writer =
        new CloudEventWriter<>(prefix, "/shop", ReservedHeaders.NONE, Written::new);
    CloudEventReader reader = new CloudEventReader(prefix);
    CloudEventNames names = new CloudEventNames(prefix);
    Random random = new Random(11);
    for (int i = 0; i < MESSAGES; i++) {
      Message message = message(random, names);
      long position = random.nextLong(Long.MAX_VALUE);
      List<Written> written = writer.write(position, message);
      assertThat(written).extracting(Written::name).doesNotHaveDuplicates();
      Arrival arrival = new Arrival(null, message.payload());
      Map<String, String> expected = new TreeMap<>(message.headers());
      expected.put(prefix + "sequence", String.format("%019d", position));
      check(reader.read(arrival, asBytes(arrival, written)), message, expected);
      check(reader.read(arrival, asTexts(arrival, written)), message, expected);
    }
  }

  private static ReceivedHeaders asBytes(Arrival arrival, List<Written> written) {
    ReceivedHeaders headers = new ReceivedHeaders(arrival, ReservedHeaders.NONE);
    written.forEach(header -> headers.add(header.name(), header.value()));
    return headers;
  }

  private static ReceivedHeaders asTexts(Arrival arrival, List<Written> written) {
    ReceivedHeaders headers = new ReceivedHeaders(arrival, ReservedHeaders.NONE);
    written.forEach(header -> headers.addText(header.name(), new String(header.value(), UTF_8)));
    return headers;
  }

  private static void check(Received received, Message message, Map<String, String> headers) {
    assertThat(received.source()).isEqualTo("/shop");
    assertThat(received.id()).isEqualTo(message.id().toString());
    assertThat(received.key()).isEqualTo(message.key());
    assertThat(received.type()).isEqualTo(message.type());
    assertThat(received.version()).isEqualTo(message.version());
    assertThat(received.time()).isEqualTo(message.time());
    assertThat(received.payload()).isEqualTo(message.payload());
    assertThat(received.headers()).isEqualTo(headers);
  }

  private static Message message(Random random, CloudEventNames names) {
    byte[] payload = new byte[256];
    for (int i = 0; i < payload.length; i++) {
      payload[i] = (byte) i;
    }
    Message.Builder message =
        Message.to("orders", "t" + text(random, random.nextInt(20), true))
            .id(new UUID(random.nextLong(), random.nextLong()))
            .version(1 + random.nextInt(999_999_999))
            .payload(payload)
            .time(time(random));
    String key = random.nextBoolean() ? null : text(random, 1 + random.nextInt(50), false);
    if (key != null) {
      message.key(key);
    }
    addHeaders(message, random, names);
    return message.build();
  }

  private static void addHeaders(Message.Builder message, Random random, CloudEventNames names) {
    for (int i = random.nextInt(8); i > 0; i--) {
      String name = name(random);
      if (!names.isOurs(name)) {
        message.header(name, text(random, random.nextInt(60), true));
      }
    }
    if (random.nextBoolean()) {
      message.header("content-type", text(random, 10, true));
      message.header("traceparent", TRACE).header("tracestate", "vendor=" + random.nextInt());
    }
  }

  private static Instant time(Random random) {
    long first = MessageLimits.TIME_MIN.getEpochSecond();
    long second = first + random.nextLong(MessageLimits.TIME_MAX.getEpochSecond() - first);
    return Instant.ofEpochSecond(second, random.nextInt(1_000_000) * 1_000L);
  }

  /** Any name that a message may have, one in two like an attribute's. */
  private static String name(Random random) {
    StringBuilder name = new StringBuilder();
    if (random.nextBoolean()) {
      name.append(List.of("ce_", "ce-", "cloudEvents_", "CE_", "id", "x-").get(random.nextInt(6)));
    }
    while (name.length() < 12) {
      char c = (char) ('!' + random.nextInt('~' - '!' + 1));
      if (c != ':' && c != '=') {
        name.append(c);
      }
    }
    return name.toString();
  }

  /**
   * Any text that a database can store, of all planes, and control characters but those of lines.
   */
  private static String text(Random random, int codePoints, boolean isLine) {
    StringBuilder text = new StringBuilder();
    while (text.codePointCount(0, text.length()) < codePoints) {
      int c = 1 + random.nextInt(random.nextBoolean() ? 0x17f : Character.MAX_CODE_POINT);
      boolean isSurrogate = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
      if (!isSurrogate && !(isLine && Character.isISOControl(c))) {
        text.appendCodePoint(c);
      }
    }
    return text.toString();
  }
}
