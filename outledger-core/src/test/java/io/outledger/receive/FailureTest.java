// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Printable;
import io.outledger.StoreException;
import io.outledger.UnreadablePayloadException;
import java.io.IOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class FailureTest {

  /** It goes into {@code outledger_inbox_parked}. */
  @Test
  void descriptionHasNothingThatADatabaseQuotes() {
    SQLException duplicate = new SQLException("ERROR: duplicate key\n  Detail: (email)=(alice)");
    assertThat(Printable.text(new IllegalStateException(duplicate)))
        .isEqualTo("java.lang.IllegalStateException: java.sql.SQLException: ERROR: duplicate key");
  }

  static List<Throwable> interrupts() {
    return List.of(
        new InterruptedException(),
        new ClosedByInterruptException(),
        new IllegalStateException(new InterruptedException()),
        new RuntimeException(new IOException(new ClosedByInterruptException())));
  }

  @ParameterizedTest
  @MethodSource("interrupts")
  void interruptIsKnownWhereverItStandsAmongTheCauses(Throwable thrown) {
    assertThat(Failure.isInterrupt(thrown)).isTrue();
  }

  @ParameterizedTest
  @MethodSource("interrupts")
  void interruptCountsAgainstTheMessageWhereNobodyCloses(Throwable thrown) {
    assertThat(Failure.of(thrown)).isEqualTo(Failure.SUSPECT);
  }

  @Test
  void closedChannelAndOtherFailuresAreNoInterrupts() {
    assertThat(Failure.isInterrupt(new AsynchronousCloseException())).isFalse();
    assertThat(Failure.isInterrupt(new IOException("interrupted"))).isFalse();
    assertThat(Failure.isInterrupt(new StackOverflowError())).isFalse();
  }

  /** What cannot be read may be read by the next release; what is appended wrongly never is. */
  @ParameterizedTest
  @EnumSource(ErrorCode.class)
  void whereItWasMetDecidesAndNotItsCode(ErrorCode code) {
    InvalidMessageException ofHandler = new InvalidMessageException(code, "planted");
    assertThat(Failure.of(ofHandler))
        .isEqualTo(code == ErrorCode.UNREGISTERED_TYPE ? Failure.SUSPECT : Failure.FINAL);
    assertThat(Failure.of(new UnreadablePayloadException(ofHandler))).isEqualTo(Failure.UNREADABLE);
  }

  @Test
  void failureIsTheMessagesUnlessItSaysOtherwise() {
    assertThat(Failure.of(new StackOverflowError())).isEqualTo(Failure.SUSPECT);
    assertThat(Failure.of(new IOException("x"))).isEqualTo(Failure.SUSPECT);
    assertThat(Failure.of(new StoreException(ErrorCode.STORE_UNAVAILABLE, "away")))
        .isEqualTo(Failure.UNAVAILABLE);
    assertThat(Failure.of(new StoreException(ErrorCode.STORE_FAILED, "refused")))
        .isEqualTo(Failure.SUSPECT);
    assertThat(Failure.of(new StoreException(ErrorCode.SAGA_UNREADABLE, "a newer state")))
        .isEqualTo(Failure.NOT_HERE);
    assertThat(Failure.of(new StoreException(ErrorCode.SCHEMA_PENDING, "not yet")))
        .isEqualTo(Failure.NOT_YET);
    assertThat(Failure.of(new StoreException(ErrorCode.TOO_MANY_PARKED, "full")))
        .isEqualTo(Failure.FULL);
  }
}
