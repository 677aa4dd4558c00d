// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.relay.options.RelayOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PollPaceTest {

  private static final long START = -5;

  private final RelayOptions options =
      RelayOptions.builder()
          .polling(p -> p.withBusy(Duration.ofMillis(5)))
          .polling(p -> p.withIdle(Duration.ofMillis(25)))
          .build();

  private static long after(long millis) {
    return START + Duration.ofMillis(millis).toNanos();
  }

  @Test
  void theLongerNothingComesTheLaterTheNextPoll() {
    PollPace pace = new PollPace(options, START);

    assertThat(pace.next(START)).isEqualTo(Duration.ofMillis(5));
    assertThat(pace.next(after(50))).isEqualTo(Duration.ofMillis(5));
    assertThat(pace.next(after(120))).isEqualTo(Duration.ofMillis(12));
    assertThat(pace.next(after(250))).isEqualTo(Duration.ofMillis(25));
    assertThat(pace.next(after(3_600_000))).isEqualTo(Duration.ofMillis(25));
  }

  @Test
  void whatComesBringsTheNextPollNear() {
    PollPace pace = new PollPace(options, START);

    pace.came(after(1000));

    assertThat(pace.next(after(1000))).isEqualTo(Duration.ofMillis(5));
    assertThat(pace.next(after(1100))).isEqualTo(Duration.ofMillis(10));
  }

  @Test
  void theIdleWaitIsTheLongest() {
    PollPace pace =
        new PollPace(
            RelayOptions.builder().polling(p -> p.withIdle(Duration.ofMillis(2))).build(), START);

    assertThat(pace.next(START)).isEqualTo(Duration.ofMillis(2));
  }
}
