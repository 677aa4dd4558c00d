// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.InboxId;
import io.outledger.receive.ParkedReceived;
import io.outledger.store.Declaration;
import io.outledger.store.ParkedFailure;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LeftToOthersTest {

  private static final Declaration REFUNDED =
      new Declaration("", Declaration.Takes.TYPE, Declaration.type("refunded", 1));

  private final Clock clock = new Clock();
  private final LeftToOthers left = new LeftToOthers(clock);

  /** A clock that shows what the test sets. */
  private static final class Clock implements TimeSource {

    private long nanos;

    @Override
    public Instant now() {
      return Instant.EPOCH;
    }

    @Override
    public long nanoTime() {
      return nanos;
    }

    private void passed(Duration time) {
      nanos += time.toNanos();
    }
  }

  private static ParkedReceived parked(long number) {
    return new ParkedReceived(
        number, new InboxId("/shop", "m" + number), null, "", "money", "refunded", 4);
  }

  @Test
  void messageIsDueForTheOthersBeforeItIsPutOff() {
    List<ParkedReceived> due = List.of(parked(1), parked(2));
    assertThat(left.without(due)).isEqualTo(due);
    assertThat(left.leave(parked(1), REFUNDED)).isEmpty();
    assertThat(left.count()).isEqualTo(1);
    assertThat(left.without(due)).extracting(ParkedReceived::number).containsExactly(2L);
    clock.passed(Duration.ofSeconds(3));
    assertThat(left.without(due)).isEqualTo(due);
    assertThat(left.leave(parked(1), REFUNDED))
        .hasValueSatisfying(
            later -> {
              assertThat(later.attempts()).isEqualTo(4);
              assertThat(later.delay()).isEqualTo(Duration.ofSeconds(5));
            });
  }

  @Test
  void messageThatWasPutOffIsDueForTheOthersAgain() {
    assertThat(left.leave(parked(1), REFUNDED)).isEmpty();
    clock.passed(Duration.ofSeconds(8));
    left.without(List.of(parked(2))); // somebody else has put it off
    assertThat(left.count()).isZero();
    assertThat(left.leave(parked(1), REFUNDED)).isEmpty();
    assertThat(LeftToOthers.parked(REFUNDED))
        .extracting(ParkedFailure::delay)
        .isEqualTo(Duration.ZERO);
  }
}
