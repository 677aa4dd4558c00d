// SPDX-License-Identifier: Apache-2.0
package io.outledger.jackson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JacksonSerializerTest {

  private final JacksonSerializer serializer = JacksonSerializer.create();

  record Line(String sku, int count) {}

  record Placed(
      String orderId,
      BigDecimal total,
      Instant at,
      OffsetDateTime local,
      LocalDate due,
      Duration within,
      List<Line> lines) {}

  private static final Placed PLACED =
      new Placed(
          "o-1 👩‍👧 שלום",
          new BigDecimal("12345678901234567890.10"),
          Instant.parse("2026-11-21T01:02:03.123456789Z"),
          OffsetDateTime.parse("2026-11-21T01:02:03+05:45"),
          LocalDate.of(2026, 11, 30),
          Duration.ofMinutes(90),
          List.of(new Line("a", 1), new Line("b", 2)));

  @Test
  void anEventComesBackAsItWas() {
    assertThat(serializer.read(serializer.write(PLACED), Placed.class)).isEqualTo(PLACED);
  }

  @Test
  void timesAreTextsThatPeopleRead() {
    assertThat(new String(serializer.write(PLACED), UTF_8))
        .contains("\"at\":\"2026-11-21T01:02:03.123456789Z\"")
        .contains("\"local\":\"2026-11-21T01:02:03+05:45\"")
        .contains("\"due\":\"2026-11-30\"")
        .contains("\"within\":\"PT1H30M\"");
  }

  @Test
  void aPropertyThatIsNotKnownIsIgnored() {
    assertThat(read("{\"sku\":\"a\",\"count\":1,\"later\":{\"x\":[1]}}"))
        .isEqualTo(new Line("a", 1));
  }

  private Line read(String json) {
    return serializer.read(json.getBytes(UTF_8), Line.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "{",
        "[]",
        "\"CANARY\"",
        "{\"sku\":\"CANARY\",\"count\":1}{}",
        "{\"sku\":\"CANARY\",\"count\":1} CANARY",
        "{\"sku\":\"CANARY\",\"sku\":\"CANARY\",\"count\":1}",
        "{\"sku\":\"a\",\"count\":\"CANARY\"}",
        "{\"sku\":\"a\",\"count\":99999999999999999999}",
        "{\"CANARY\":1,\"sku\":{\"CANARY\":\"CANARY\"}}",
        "CANARY"
      })
  void whatIsNoEventIsRefusedWithoutQuotingIt(String json) {
    assertThatThrownBy(() -> read(json))
        .isInstanceOfSatisfying(
            InvalidMessageException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.UNREADABLE_PAYLOAD))
        .hasMessageContaining("Line")
        .hasMessageNotContaining("CANARY")
        .hasNoCause();
  }

  @Test
  void brokenUtf8AndNulAreRefused() {
    byte[] broken = {'{', '"', 's', 'k', 'u', '"', ':', '"', (byte) 0xc3, (byte) 0x28, '"', '}'};
    byte[] nul = {0, '{', '}'};
    for (byte[] payload : List.of(broken, nul)) {
      assertThatThrownBy(() -> serializer.read(payload, Line.class))
          .isInstanceOf(InvalidMessageException.class);
    }
  }

  @Test
  void depthIsBoundedInBothDirections() {
    String deep = "[".repeat(10_000) + "]".repeat(10_000);
    assertThatThrownBy(() -> serializer.read(deep.getBytes(UTF_8), List.class))
        .isInstanceOf(InvalidMessageException.class);
    List<Object> nested = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      nested = new ArrayList<>(List.of(nested));
    }
    Object event = nested;
    assertThatThrownBy(() -> serializer.write(event)).isInstanceOf(InvalidMessageException.class);
  }

  record Failing(String text) {
    public String getOther() {
      if (!text.isEmpty()) {
        throw new IllegalStateException("the event's own failure");
      }
      return text;
    }
  }

  @Test
  void anEventThatCannotBeWrittenSaysWhoseFailureItWas() {
    assertThatThrownBy(() -> serializer.write(new Failing("CANARY")))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageStartingWith("OUT-015")
        .hasMessageNotContaining("CANARY")
        .hasCauseInstanceOf(IllegalStateException.class);
  }

  /** Has nothing that Jackson could write. */
  static final class Box {}

  record Wish(Map<String, Box> gifts) {}

  /** What a class lacks is no secret; the values of an event, and a map's keys, may be. */
  @Test
  void anEventOfAClassThatJacksonCannotWriteNamesTheFieldAndTheReason() {
    assertThatThrownBy(() -> serializer.write(new Wish(Map.of("CANARY", new Box()))))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageStartingWith("OUT-015")
        .hasMessageContaining("cannot be written as JSON: field gifts: ")
        .hasMessageContaining("Box")
        .hasMessageNotContaining("CANARY");
  }

  record Optionals(Optional<String> note, Optional<Line> line) {}

  @Test
  void optionalFieldsNeedNoModule() {
    Optionals some = new Optionals(Optional.of("x"), Optional.empty());
    assertThat(new String(serializer.write(some), UTF_8))
        .isEqualTo("{\"note\":\"x\",\"line\":null}");
    assertThat(serializer.read(serializer.write(some), Optionals.class)).isEqualTo(some);
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
  interface Open {}

  record Known(int value) implements Open {}

  record Holder(Open open) {}

  /** Says that it was loaded. */
  static final class Gadget implements Open {
    static {
      System.setProperty("outledger.gadget", "loaded");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "io.outledger.jackson.JacksonSerializerTest$Gadget",
        "io.outledger.jackson.JacksonSerializerTest$Known",
        "javax.naming.InitialContext",
        "com.sun.rowset.JdbcRowSetImpl"
      })
  void dataChoosesNoClassEvenWhereAnAnnotationAsksForIt(String className) {
    String json = "{\"@class\":\"" + className + "\",\"value\":1}";
    assertThatThrownBy(() -> serializer.read(json.getBytes(UTF_8), Open.class))
        .isInstanceOf(InvalidMessageException.class);
    assertThatThrownBy(
            () -> serializer.read(("{\"open\":" + json + "}").getBytes(UTF_8), Holder.class))
        .isInstanceOf(InvalidMessageException.class);
    assertThat(System.getProperty("outledger.gadget")).isNull();
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  @JsonSubTypes(@JsonSubTypes.Type(value = Card.class, name = "card"))
  interface Payment {}

  record Card(String last4) implements Payment {}

  @Test
  void subtypesByLogicalNameWork() {
    byte[] json = serializer.write(new Card("1234"));
    assertThat(serializer.read(json, Payment.class)).isEqualTo(new Card("1234"));
  }

  @Test
  void anObjectOfNoClassIsReadAsAMap() {
    assertThat(serializer.read("{\"@class\":\"java.io.File\"}".getBytes(UTF_8), Object.class))
        .isEqualTo(Map.of("@class", "java.io.File"));
  }

  @Test
  void thePayloadSaysThatItIsJson() {
    assertThat(serializer.contentType()).isEqualTo("application/json");
  }
}
