// SPDX-License-Identifier: Apache-2.0
package io.outledger.parking;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.BreakerPolicy;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** With probes a nanosecond apart for 100 ns, and then two failures a second. */
class BreakerTest {

  private static final Duration HALF_A_SECOND = Duration.ofMillis(500);

  private final Backoff probes = new Backoff(Duration.ofNanos(1), Duration.ofNanos(1));
  private final Breaker breaker =
      new Breaker(new BreakerPolicy(2, Duration.ofNanos(100), probes, 2), new SplittableRandom(7));

  private void open() {
    breaker.failed("a", 0);
    breaker.failed("b", 0);
    assertThat(breaker.state()).isEqualTo(Breaker.State.OPEN);
  }

  @Test
  void oneKeyAloneNeverOpensIt() {
    for (int i = 0; i < 9; i++) {
      assertThat(breaker.failed("a", i)).isFalse();
    }
    assertThat(breaker.isClosed()).isTrue();
    assertThat(breaker.waitFor(9)).isZero();
    assertThat(breaker.failed("b", 9)).isTrue();
  }

  @Test
  void successForgetsWhoHasFailed() {
    breaker.failed("a", 0);
    breaker.succeeded();
    assertThat(breaker.failed("b", 0)).isFalse();
    assertThat(breaker.failed("a", 0)).isTrue();
    breaker.succeeded();
    assertThat(breaker.isClosed()).isTrue();
    assertThat(breaker.failed("c", 0)).isFalse();
  }

  @Test
  void openItIsWaitedForUntilTheNextProbe() {
    Duration hour = Duration.ofHours(1);
    Breaker slow =
        new Breaker(
            new BreakerPolicy(1, hour, new Backoff(hour, hour), 2), new SplittableRandom(7));
    slow.failed("a", 0);
    assertThat(slow.waitFor(0)).isBetween(Duration.ofMinutes(1), hour);
    assertThat(slow.waitFor(hour.toNanos())).isZero();
  }

  @Test
  void failuresCountAgainOnceProbesHaveFailedForLongEnoughAndAtALimitedRate() {
    open();
    breaker.probeFailed(99);
    assertThat(breaker.failed("c", 99)).isTrue();
    breaker.probeFailed(100);
    assertThat(breaker.state()).isEqualTo(Breaker.State.RATE_LIMITED);
    assertThat(breaker.failed("c", 100)).isFalse();
    breaker.triedAtLimitedRate(200);
    assertThat(breaker.waitFor(200)).isEqualTo(HALF_A_SECOND);
  }

  @Test
  void topicThatIsToBlameIsProbedWithoutEndUntilItOnlyFails() {
    breaker.topicFailed(0);
    breaker.probeFailed(1_000);
    assertThat(breaker.isTopicToBlame()).isTrue();
    assertThat(breaker.state()).isEqualTo(Breaker.State.OPEN);
    assertThat(breaker.failed("a", 1_000)).isTrue();
    breaker.probeFailed(1_099);
    assertThat(breaker.state()).isEqualTo(Breaker.State.OPEN);
    breaker.probeFailed(1_100);
    assertThat(breaker.state()).isEqualTo(Breaker.State.RATE_LIMITED);
    breaker.topicFailed(1_200);
    assertThat(breaker.state()).isEqualTo(Breaker.State.OPEN);
  }
}
