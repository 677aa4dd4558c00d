// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import static io.outledger.relay.route.Deliveries.delivery;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.BreakerPolicy;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** With probes 8, 16 and at most 20 ns apart for 100 ns, and then two rejections a second. */
class BreakerTest {

  private static final long NOW = 1_000;
  private static final long HALF_A_SECOND = 500_000_000L;

  /** Chooses the longest of the delays, so that the bounds can be seen. */
  private final RandomGenerator longest =
      new RandomGenerator() {
        @Override
        public long nextLong() {
          return 0;
        }

        @Override
        public long nextLong(long bound) {
          return bound - 1;
        }
      };

  private final Suspects suspects = new Suspects();
  private final Backoff probes = new Backoff(Duration.ofNanos(8), Duration.ofNanos(20));
  private final Breaker breaker =
      new Breaker(new BreakerPolicy(2, Duration.ofNanos(100), probes, 2), longest, suspects);

  private final Delivery first = delivery(1, "a");
  private final Delivery second = delivery(2, "b");
  private final Delivery third = delivery(3, "c");

  private void open() {
    assertThat(breaker.rejected(first, NOW)).isFalse();
    assertThat(breaker.rejected(second, NOW)).isTrue();
    breaker.keep(second);
    breaker.keep(third);
    assertThat(breaker.state()).isEqualTo(Breaker.State.OPEN);
    assertThat(breaker.waitingCount()).isEqualTo(2);
  }

  @Test
  void opensOnceSoManyKeysWereRejectedInARow() {
    assertThat(breaker.rejected(first, NOW)).isFalse();
    assertThat(breaker.rejected(first, NOW)).isFalse();
    assertThat(breaker.succeeded()).isEmpty();
    assertThat(breaker.rejected(second, NOW)).isFalse();
    assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED);
    assertThat(breaker.rejected(third, NOW)).isTrue();
    assertThat(breaker.rejected(first, NOW)).isTrue();
  }

  @Test
  void staysOpenWhereItIsToProbeWithoutEnd() {
    Duration forever = ChronoUnit.FOREVER.getDuration();
    Breaker patient = new Breaker(new BreakerPolicy(1, forever, probes, 2), longest, suspects);
    assertThat(patient.rejected(first, NOW)).isTrue();
    patient.probeFailed(Long.MAX_VALUE);
    assertThat(patient.state()).isEqualTo(Breaker.State.OPEN);
  }

  @Test
  void messagesWithoutAKeyCountEachForItself() {
    assertThat(breaker.rejected(delivery(1, null), NOW)).isFalse();
    assertThat(breaker.rejected(delivery(1, null), NOW)).isFalse();
    assertThat(breaker.rejected(delivery(2, null), NOW)).isTrue();
  }

  @Test
  void closedItReleasesNothing() {
    breaker.keep(first);
    assertThat(breaker.release(NOW)).isEmpty();
  }

  @Test
  void triesOneAtATimeAndLessAndLessOften() {
    open();
    assertThat(breaker.release(NOW + 7)).isEmpty();
    assertThat(breaker.release(NOW + 8)).containsExactly(second);
    assertThat(breaker.release(NOW + 8)).isEmpty();
    assertThat(breaker.probeEnded(3)).isFalse();
    assertThat(breaker.release(NOW + 8)).isEmpty();
    assertThat(breaker.probeEnded(2)).isTrue();
    assertThat(breaker.probeEnded(2)).isFalse();
    breaker.probeFailed(NOW + 10);
    assertThat(breaker.release(NOW + 25)).isEmpty();
    assertThat(breaker.release(NOW + 26)).containsExactly(third);
  }

  @Test
  void successClosesItAndReturnsWhatWasKeptBackInOrder() {
    open();
    breaker.keep(first);
    assertThat(breaker.succeeded()).containsExactly(first, second, third);
    assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED);
    assertThat(breaker.waitingCount()).isZero();
  }

  @Test
  void letsMessagesBeRejectedSlowlyOnceItHasProbedForLongEnough() {
    open();
    breaker.keep(first);
    breaker.probeFailed(NOW + 99);
    assertThat(breaker.state()).isEqualTo(Breaker.State.OPEN);
    breaker.probeFailed(NOW + 100);
    assertThat(breaker.state()).isEqualTo(Breaker.State.RATE_LIMITED);
    assertThat(breaker.rejected(first, NOW + 100)).isFalse();
    assertThat(breaker.release(NOW + 120)).containsExactly(first);
    assertThat(breaker.release(NOW + 119 + HALF_A_SECOND)).isEmpty();
    assertThat(breaker.release(NOW + 120 + HALF_A_SECOND)).containsExactly(second);
  }
}
