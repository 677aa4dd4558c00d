// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.publish.DestinationUnavailableException;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a serializer's library throws is a failure of the one payload. */
final class PayloadFailuresTest {

  private static InvalidMessageException meaning(Throwable thrown) {
    return PayloadFailures.unreadable(new byte[3], String.class, thrown.getClass().getSimpleName());
  }

  static Stream<PayloadFailures.Call<String>> failing() {
    return Stream.of(
        () -> {
          throw new IOException("CANARY");
        },
        () -> {
          throw new IllegalStateException("CANARY");
        },
        () -> {
          throw new StackOverflowError("CANARY");
        });
  }

  @ParameterizedTest
  @MethodSource("failing")
  void whatALibraryThrowsIsAFailureOfThePayload(PayloadFailures.Call<String> call) {
    assertThatThrownBy(() -> PayloadFailures.called(call, PayloadFailuresTest::meaning))
        .isInstanceOfSatisfying(
            InvalidMessageException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.UNREADABLE_PAYLOAD))
        .hasMessageContaining("a payload of 3 bytes cannot be read as java.lang.String")
        .hasMessageNotContaining("CANARY")
        .hasNoCause();
  }

  @Test
  void whatIsDecidedAlreadyIsThrownOn() {
    DestinationUnavailableException away = new DestinationUnavailableException("away", null);
    assertThatThrownBy(
            () ->
                PayloadFailures.called(
                    () -> {
                      throw away;
                    },
                    PayloadFailuresTest::meaning))
        .isSameAs(away);
    assertThat(PayloadFailures.called(() -> "read", PayloadFailuresTest::meaning))
        .isEqualTo("read");
  }

  @Test
  void anEventIsNamedByItsClass() {
    assertThat(PayloadFailures.unwritable("CANARY", "as JSON", "it is a test", null))
        .hasMessage("OUT-015 an event of java.lang.String cannot be written as JSON: it is a test");
  }
}
