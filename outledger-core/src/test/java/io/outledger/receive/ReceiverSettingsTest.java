// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReceiverSettingsTest {

  private static final Arrival<String> UNREADABLE =
      new Arrival<>(
          "delivery 7",
          1,
          null,
          new InvalidMessageException(ErrorCode.INVALID_MESSAGE, "no CloudEvent"));

  /** With one of these every message would be unreadable. */
  @ParameterizedTest
  @ValueSource(strings = {"", "two words", "größer", "tab\t"})
  void originThatNoMessageCanHaveIsRefused(String origin) {
    assertThatThrownBy(() -> ReceiverSettings.DEFAULT.withOrigin(origin))
        .hasMessageContaining("OUT-021")
        .hasMessageContaining("origin");
  }

  @Test
  void originMayBeAsLongAsAMessagesOwn() {
    assertThat(ReceiverSettings.DEFAULT.withOrigin("x".repeat(256)).origin()).hasSize(256);
    assertThatThrownBy(() -> ReceiverSettings.DEFAULT.withOrigin("x".repeat(257)))
        .hasMessageContaining("256");
  }

  @Test
  void placeThatCanBeNoOriginNeedsAName() {
    for (String place : List.of("shop orders", "shop/Küche", "x".repeat(257))) {
      assertThatThrownBy(() -> ReceiverSettings.DEFAULT.checkOrigin("stream", place))
          .hasMessageContainingAll("OUT-021 the stream '", place.substring(0, 6), "origin(...)");
      ReceiverSettings.DEFAULT.withOrigin("orders").checkOrigin("stream", place);
    }
    ReceiverSettings.DEFAULT.checkOrigin("stream", "persistent://shop/orders");
  }

  @Test
  void whoNotesWhatCannotBeReceivedIsToldPlacePayloadAndReason() throws Exception {
    List<String> told = new ArrayList<>();
    ReceiverSettings settings =
        ReceiverSettings.DEFAULT.withUnreadable(
            (place, payload, reason) -> told.add(place + ", " + payload.length + ": " + reason));

    settings.setAside(UNREADABLE, new byte[3]);

    assertThat(told).containsExactly("delivery 7, 3: OUT-014 no CloudEvent");
    assertThatThrownBy(() -> ReceiverSettings.DEFAULT.setAside(UNREADABLE, new byte[3]))
        .isEqualTo(UNREADABLE.problem());
  }
}
