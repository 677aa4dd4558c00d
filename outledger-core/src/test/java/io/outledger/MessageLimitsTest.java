// SPDX-License-Identifier: Apache-2.0
package io.outledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageLimitsTest {

  @ParameterizedTest
  @ValueSource(strings = {"0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z"})
  void timeOfFourDigitsIsAllowedToItsEnds(Instant time) {
    Message message = Message.to("orders", "order.placed").time(time).build();
    assertThat(message.time()).isBetween(MessageLimits.TIME_MIN, MessageLimits.TIME_MAX);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-1000000000-01-01T00:00:00Z",
        "0000-12-31T23:59:59.999999Z",
        "+10000-01-01T00:00:00Z",
        "+300000-01-01T00:00:00Z",
        "+1000000000-12-31T23:59:59Z"
      })
  void anyOtherTimeIsRefusedByName(Instant time) {
    Message.Builder builder = Message.to("orders", "order.placed").time(time);
    assertThatThrownBy(builder::build)
        .isInstanceOfSatisfying(
            InvalidMessageException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_MESSAGE))
        .hasMessageContaining("time is " + time);
  }

  @Test
  void textAtItsLimitIsAllowed() {
    Message message =
        Message.to("t".repeat(200), "y".repeat(200))
            .key("\ud83d\ude00".repeat(250))
            .header("n".repeat(100), "v".repeat(16_000))
            .header("!~", "w".repeat(282))
            .build();
    assertThat(message.key()).hasSize(500);
    Message.Builder empty = Message.to("t", "y").header("n", "");
    assertThat(empty.build().headers()).containsEntry("n", "");
  }

  @Test
  void textBeyondItsLimitIsRefusedByName() {
    assertRefused(Message.to("", "y"), "topic has 0 characters");
    assertRefused(Message.to("t".repeat(201), "y"), "topic has 201");
    assertRefused(Message.to("t", ""), "type has 0 characters");
    assertRefused(Message.to("t", "y".repeat(201)), "type has 201");
    assertRefused(Message.to("t", " \u2003"), "type is blank");
    assertRefused(Message.to("t", "y\u0007"), "type is blank or contains a control character");
    assertRefused(Message.to("t", "y").key(""), "key has 0 characters");
    assertRefused(Message.to("t", "y").key("k".repeat(501)), "key has 501");
    assertRefused(Message.to("t", "y").version(0), "version is 0");
    assertRefused(Message.to("t", "y").header("", "v"), "header name has 0");
    assertRefused(Message.to("t", "y").header("n".repeat(101), "v"), "header name has 101");
    assertRefused(Message.to("t", "y").header("n", "v".repeat(16_385)), "header value has 16385");
    assertRefused(
        Message.to("t", "y").header("n", "v".repeat(16_382)).header("m", "w"),
        "headers have 16385 characters");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", " ", "a:b", "a=b", "\u007f", "\u00e4"})
  void headerNameIsPrintableAscii(String name) {
    assertRefused(Message.to("t", "y").header(name, "v"), "header name must be printable ASCII");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\nb", "\r"})
  void headerIsOneLine(String value) {
    assertRefused(Message.to("t", "y").header("n", value), "header value must be a single line");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u0000", "a\u0000", "\ud800", "a\ud83d", "\ude00a", "\ud83da"})
  void textThatCannotBeStoredIsRefusedWhereverItStands(String text) {
    assertRefused(Message.to(text, "y"), "topic contains");
    assertRefused(Message.to("t", text), "type contains");
    assertRefused(Message.to("t", "y").key(text), "key contains");
    assertRefused(Message.to("t", "y").header(text, "v"), "header name contains");
    assertRefused(Message.to("t", "y").header("n", text), "header value contains");
  }

  private static void assertRefused(Message.Builder builder, String because) {
    assertThatThrownBy(builder::build)
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageStartingWith("OUT-014")
        .hasMessageContaining(because);
  }
}
