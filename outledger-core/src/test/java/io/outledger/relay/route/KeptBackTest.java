// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import static io.outledger.relay.route.Deliveries.delivery;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.parking.Breaker;
import io.outledger.parking.Suspects;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.BreakerPolicy;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** With probes 8, 16 and at most 20 ns apart for 100 ns, and then two rejections a second. */
class KeptBackTest {

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

  private final Suspects<Delivery> suspects = Suspects.ofRoute();
  private final Backoff probes = new Backoff(Duration.ofNanos(8), Duration.ofNanos(20));
  private final Breaker breaker =
      new Breaker(new BreakerPolicy(2, Duration.ofNanos(100), probes, 2), longest);
  private final KeptBack kept = new KeptBack(breaker, suspects);

  private final Delivery first = delivery(1, "a");
  private final Delivery second = delivery(2, "b");
  private final Delivery third = delivery(3, "c");

  private void open() {
    assertThat(breaker.failed("first", NOW)).isFalse();
    assertThat(breaker.failed("second", NOW)).isTrue();
    kept.add(second);
    kept.add(third);
    assertThat(breaker.state()).isEqualTo(Breaker.State.OPEN);
    assertThat(kept.count()).isEqualTo(2);
  }

  @Test
  void opensOnceSoManyKeysWereRejectedInARow() {
    assertThat(breaker.failed("first", NOW)).isFalse();
    assertThat(breaker.failed("first", NOW)).isFalse();
    assertThat(kept.succeeded()).isEmpty();
    assertThat(breaker.failed("second", NOW)).isFalse();
    assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED);
    assertThat(breaker.failed("third", NOW)).isTrue();
    assertThat(breaker.failed("first", NOW)).isTrue();
  }

  @Test
  void staysOpenWhereItIsToProbeWithoutEnd() {
    Duration forever = ChronoUnit.FOREVER.getDuration();
    Breaker patient = new Breaker(new BreakerPolicy(1, forever, probes, 2), longest);
    assertThat(patient.failed("first", NOW)).isTrue();
    patient.probeFailed(Long.MAX_VALUE);
    assertThat(patient.state()).isEqualTo(Breaker.State.OPEN);
  }

  @Test
  void closedItReleasesNothing() {
    kept.add(first);
    assertThat(kept.release(NOW)).isNull();
  }

  @Test
  void triesOneAtATimeAndLessAndLessOften() {
    open();
    assertThat(kept.release(NOW + 7)).isNull();
    assertThat(kept.release(NOW + 8)).isEqualTo(second);
    assertThat(kept.release(NOW + 8)).isNull();
    assertThat(kept.probeEnded(third)).isFalse();
    assertThat(kept.release(NOW + 8)).isNull();
    assertThat(kept.probeEnded(second)).isTrue();
    assertThat(kept.probeEnded(second)).isFalse();
    breaker.probeFailed(NOW + 10);
    assertThat(kept.release(NOW + 25)).isNull();
    assertThat(kept.release(NOW + 26)).isEqualTo(third);
  }

  @Test
  void successClosesItAndReturnsWhatWasKeptBackInOrder() {
    open();
    kept.add(first);
    assertThat(kept.succeeded()).containsExactly(first, second, third);
    assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED);
    assertThat(kept.count()).isZero();
  }

  @Test
  void twoMessagesOfOnePositionAreKeptEachForItself() {
    open();
    Delivery ofEarlierLedger = delivery(2, 102, "b");
    kept.add(ofEarlierLedger);
    assertThat(kept.count()).isEqualTo(3);
    assertThat(kept.release(NOW + 8)).isEqualTo(second);
    assertThat(kept.contains(second)).isFalse();
    assertThat(kept.contains(ofEarlierLedger)).isTrue();
    assertThat(kept.probeEnded(ofEarlierLedger)).isFalse();
    assertThat(kept.probeEnded(second)).isTrue();
    assertThat(kept.succeeded()).containsExactly(ofEarlierLedger, third);
  }

  @Test
  void letsMessagesBeRejectedSlowlyOnceItHasProbedForLongEnough() {
    open();
    kept.add(first);
    breaker.probeFailed(NOW + 99);
    assertThat(breaker.state()).isEqualTo(Breaker.State.OPEN);
    breaker.probeFailed(NOW + 100);
    assertThat(breaker.state()).isEqualTo(Breaker.State.RATE_LIMITED);
    assertThat(breaker.failed("first", NOW + 100)).isFalse();
    assertThat(kept.release(NOW + 120)).isEqualTo(first);
    assertThat(kept.release(NOW + 119 + HALF_A_SECOND)).isNull();
    assertThat(kept.release(NOW + 120 + HALF_A_SECOND)).isEqualTo(second);
  }

  @Test
  void secondTimeItOpensItProbesAsSoonAsTheFirstTimeAndAsLong() {
    open();
    assertThat(kept.release(NOW + 8)).isEqualTo(second);
    assertThat(kept.probeEnded(second)).isTrue();
    breaker.probeFailed(NOW + 10);
    breaker.probeFailed(NOW + 30);
    assertThat(kept.succeeded()).containsExactly(third);

    long later = NOW + 5_000;
    assertThat(breaker.failed("first", later)).isFalse();
    assertThat(breaker.failed("second", later)).isTrue();
    kept.add(second);
    kept.add(third);
    assertThat(kept.release(later + 7)).isNull();
    assertThat(kept.release(later + 8)).isEqualTo(second);
    assertThat(kept.probeEnded(second)).isTrue();
    breaker.probeFailed(later + 10);
    assertThat(kept.release(later + 25)).isNull();
    assertThat(kept.release(later + 26)).isEqualTo(third);
    assertThat(kept.probeEnded(third)).isTrue();
    breaker.probeFailed(later + 99);
    assertThat(breaker.state()).isEqualTo(Breaker.State.OPEN);
    breaker.probeFailed(later + 100);
    assertThat(breaker.state()).isEqualTo(Breaker.State.RATE_LIMITED);
  }

  @Test
  void successAfterTheLimitedRateClosesItAsOneAtFirstDoes() {
    open();
    breaker.probeFailed(NOW + 100);
    assertThat(kept.succeeded()).containsExactly(second, third);
    assertThat(breaker.failed("first", NOW + 200)).isFalse();
    assertThat(breaker.failed("second", NOW + 200)).isTrue();
    assertThat(breaker.state()).isEqualTo(Breaker.State.OPEN);
  }
}
