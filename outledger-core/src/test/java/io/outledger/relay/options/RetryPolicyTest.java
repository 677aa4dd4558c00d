// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import java.time.Duration;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {

  private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(6));

  @Test
  void boundDoublesUpToTheHighest() {
    assertThat(IntStream.rangeClosed(1, 5).mapToObj(BACKOFF::bound))
        .extracting(Duration::toSeconds)
        .containsExactly(1L, 2L, 4L, 6L, 6L);
    assertThat(BACKOFF.bound(Integer.MAX_VALUE)).isEqualTo(Duration.ofSeconds(6));
  }

  @Test
  void delayIsAnythingUpToTheBound() {
    Backoff tiny = new Backoff(Duration.ofNanos(2), Duration.ofNanos(2));
    Random random = new Random(1);
    assertThat(IntStream.range(0, 100).mapToObj(i -> tiny.delay(1, random).toNanos()))
        .containsOnly(0L, 1L, 2L);
  }

  @Test
  void spanIsTheLongestTimeFromTheFirstAttemptToTheLast() {
    RetryPolicy policy = RetryPolicy.DEFAULT.withBackoff(BACKOFF);
    assertThat(policy.backoff()).isEqualTo(BACKOFF);
    assertThat(policy.withAttemptsMax(1).span()).isZero();
    assertThat(policy.withAttemptsMax(4).span()).isEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void mostAndLongestRetriesHaveADelayAndASpan() {
    Duration year = Duration.ofDays(365);
    RetryPolicy longest =
        RetryPolicy.DEFAULT.withBackoff(new Backoff(year, year)).withAttemptsMax(Integer.MAX_VALUE);
    assertThat(longest.backoff().delay(Integer.MAX_VALUE, new Random(1)))
        .isBetween(Duration.ZERO, year);
    assertThat(longest.span()).isEqualTo(year.multipliedBy(Integer.MAX_VALUE - 1));
  }

  @Test
  void numbersThatMeanNothingAreRefused() {
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> RetryPolicy.DEFAULT.withAttemptsMax(0))
        .isInstanceOf(ConfigurationException.class);
    assertThatThrownBy(() -> new Backoff(Duration.ZERO, second))
        .isInstanceOf(ConfigurationException.class);
    assertThatThrownBy(() -> new Backoff(second.negated(), second))
        .isInstanceOf(ConfigurationException.class);
    assertThatThrownBy(() -> new Backoff(second, second.minusNanos(1)))
        .isInstanceOf(ConfigurationException.class);
    assertThatThrownBy(() -> new Backoff(second, Duration.ofDays(365).plusNanos(1)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("<= 365 days");
    assertThatThrownBy(
            () ->
                new Backoff(Duration.ofSeconds(Long.MAX_VALUE), Duration.ofSeconds(Long.MAX_VALUE)))
        .isInstanceOf(ConfigurationException.class);
    assertThatThrownBy(() -> new BreakerPolicy(0, second, BACKOFF, 1))
        .isInstanceOf(ConfigurationException.class);
    assertThatThrownBy(() -> new BreakerPolicy(1, second, BACKOFF, 0))
        .isInstanceOf(ConfigurationException.class);
    assertThat(new BreakerPolicy(1, second, BACKOFF, 1).probeFor()).isEqualTo(second);
  }
}
