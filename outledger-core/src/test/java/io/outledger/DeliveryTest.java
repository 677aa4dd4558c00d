// SPDX-License-Identifier: Apache-2.0
package io.outledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DeliveryTest {

  @Test
  void timesAreRoundedUpSoThatNothingIsEarly() {
    assertThat(Delivery.at(Instant.parse("2026-01-01T00:00:00.000000001Z")).time())
        .contains(Instant.parse("2026-01-01T00:00:00.000001Z"));
    assertThat(Delivery.at(MessageLimits.TIME_MAX).time()).contains(MessageLimits.TIME_MAX);
    assertThat(Delivery.after(Duration.ofNanos(1)).delay()).isEqualTo(Duration.ofMillis(1));
    assertThat(Delivery.after(Duration.ofMillis(3)).delay()).isEqualTo(Duration.ofMillis(3));
  }

  @Test
  void delayThatIsOverMeansNow() {
    assertThat(Delivery.after(Duration.ofSeconds(Long.MIN_VALUE)).delay()).isZero();
  }

  @Test
  void whatNoDatabaseKeepsIsRefused() {
    for (Runnable call :
        List.<Runnable>of(
            () -> Delivery.at(Instant.MAX),
            () -> Delivery.at(MessageLimits.TIME_MAX.plusNanos(1)),
            () -> Delivery.at(MessageLimits.TIME_MIN.minusNanos(1)),
            () -> Delivery.after(Duration.ofSeconds(Long.MAX_VALUE)))) {
      assertThatExceptionOfType(InvalidMessageException.class)
          .isThrownBy(call::run)
          .matches(e -> e.code() == ErrorCode.INVALID_MESSAGE);
    }
  }

  @Test
  void nameIsCheckedWhereItIsGiven() {
    Delivery now = Delivery.after(Duration.ZERO);
    assertThat(now.named("a").name()).contains("a");
    assertThat(now.named("a").isReplacing()).isFalse();
    assertThat(now.replacing("a").isReplacing()).isTrue();
    for (String bad : List.of("", " a", "x".repeat(10_000), "a\nb")) {
      assertThatExceptionOfType(ConfigurationException.class)
          .isThrownBy(() -> now.named(bad))
          .matches(e -> e.code() == ErrorCode.INVALID_NAME);
    }
  }

  @Test
  void dueTimeIsThatOfTheClockItIsGiven() {
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    assertThat(Delivery.after(Duration.ofSeconds(5)).due(now)).isEqualTo(now.plusSeconds(5));
    assertThat(Delivery.at(now.minusSeconds(5)).due(now)).isEqualTo(now.minusSeconds(5));
  }

  @Test
  void oneMessageIsScheduledAtATime() {
    Message message = Message.to("orders", "order.placed").build();
    assertThat(Delivery.onlyOf(List.of(message))).isSameAs(message);
    for (List<Message> wrong : List.of(List.<Message>of(), List.of(message, message))) {
      assertThatExceptionOfType(InvalidMessageException.class)
          .isThrownBy(() -> Delivery.onlyOf(wrong))
          .matches(e -> e.code() == ErrorCode.INVALID_MESSAGE);
    }
  }
}
