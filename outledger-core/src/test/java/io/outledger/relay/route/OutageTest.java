// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.relay.options.Backoff;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class OutageTest {

  private static final Duration MAX = Duration.ofNanos(50);

  private final Outage outage = new Outage(new Backoff(MAX, MAX), new SplittableRandom(7));

  @Test
  void isProbedOnceAtATimeWhenItIsDue() {
    assertThat(outage.isDown()).isFalse();
    assertThat(outage.probeIsDue(1_000)).isFalse();
    Duration delay = outage.met(1_000);
    assertThat(delay).isPositive();
    assertThat(outage.probeAtNanos()).isEqualTo(1_000 + delay.toNanos());
    assertThat(outage.probeIsDue(999 + delay.toNanos())).isFalse();
    assertThat(outage.probeIsDue(1_000 + delay.toNanos())).isTrue();
    outage.probeSent();
    assertThat(outage.isProbing()).isTrue();
    assertThat(outage.probeIsDue(5_000)).isFalse();
  }

  @Test
  void timeWithoutEndIsNeverOver() {
    outage.met(0);
    assertThat(outage.hasLasted(ChronoUnit.FOREVER.getDuration(), Long.MAX_VALUE - 1)).isFalse();
  }

  @Test
  void endsAndIsCountedFromOneAgain() {
    outage.met(0);
    outage.probeSent();
    outage.met(0);
    assertThat(outage.isProbing()).isFalse();
    assertThat(outage.failures()).isEqualTo(2);
    outage.probeSent();
    outage.over(0);
    assertThat(outage.isDown()).isFalse();
    assertThat(outage.isProbing()).isFalse();
    outage.met(0);
    assertThat(outage.failures()).isEqualTo(1);
  }

  @Test
  void lastsAsLongAsThoseBeforeItThatAreNotForgotten() {
    Duration ten = Duration.ofNanos(10);
    for (int at = 0; at < 18; at += 6) {
      outage.met(at);
      assertThat(outage.hasLasted(ten, at + 4)).isEqualTo(at == 12);
      outage.over(at + 4);
      assertThat(outage.hasLasted(ten, at + 4)).isFalse();
    }
    assertThat(outage.hasEarlier()).isTrue();
    outage.forgetEarlier();
    outage.met(20);
    assertThat(outage.hasLasted(ten, 29)).isFalse();
    assertThat(outage.hasLasted(ten, 30)).isTrue();
  }
}
