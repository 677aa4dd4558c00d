// SPDX-License-Identifier: Apache-2.0
package io.outledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
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
}
