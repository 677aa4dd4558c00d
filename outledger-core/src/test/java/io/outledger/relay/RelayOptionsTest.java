// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RelayOptionsTest {

  private static final Duration NANO = Duration.ofNanos(1);

  @Test
  void everyProblemIsListedAtOnce() {
    RelayOptions.Builder builder =
        RelayOptions.builder()
            .lease(Duration.ofMillis(499))
            .pageMessagesMax(0)
            .pageBytesMax(0)
            .windowMessages(0)
            .windowBytes(0)
            .pollIdle(Duration.ZERO)
            .pollBusy(Duration.ZERO)
            .openRangesMax(0)
            .holeRangesInRowMax(-1);
    assertThatThrownBy(builder::build)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("OUT-021")
        .hasMessageContainingAll(
            "lease must be 500 ms or more",
            "pageMessagesMax must be 1 or more",
            "pageBytesMax must be 1 or more",
            "windowMessages must be 1 or more",
            "windowBytes must be 1 or more",
            "pollIdle must be positive",
            "pollBusy must be positive",
            "openRangesMax must be 1 or more",
            "holeRangesInRowMax must not be negative");
    RelayOptions.Builder slow = RelayOptions.builder().lease(Duration.ofMillis(500));
    assertThatThrownBy(slow.saveWait(Duration.ofMillis(51))::build)
        .hasMessageContaining("saveWait must be from zero to a tenth of the lease");
    assertThatThrownBy(slow.saveWait(NANO.negated())::build).hasMessageContaining("saveWait");
    RelayOptions.Builder negative = RelayOptions.builder().pollIdle(NANO.negated());
    assertThatThrownBy(negative::build).hasMessageContaining("pollIdle");
    RelayOptions.Builder impatient = RelayOptions.builder().outageHoldsUpOthers(NANO.negated());
    assertThatThrownBy(impatient::build)
        .hasMessageContaining("outageHoldsUpOthers must not be negative");
  }

  @Test
  void defaultsNeedNoThought() {
    assertThat(RelayOptions.defaults().lease()).isEqualTo(Duration.ofSeconds(10));
    assertThat(RelayOptions.defaults().saveWait).isEqualTo(Duration.ofMillis(50));
  }

  @Test
  void smallestOptionsAreGood() {
    Backoff backoff = new Backoff(NANO, NANO);
    RelayOptions options =
        RelayOptions.builder()
            .lease(Duration.ofMillis(500))
            .pageMessagesMax(1)
            .pageBytesMax(1)
            .windowMessages(1)
            .windowBytes(1)
            .pollIdle(NANO)
            .pollBusy(NANO)
            .saveWait(Duration.ofMillis(50))
            .openRangesMax(1)
            .holeRangesInRowMax(0)
            .outage(backoff)
            .outageHoldsUpOthers(Duration.ZERO)
            .build();
    assertThat(options.lease()).isEqualTo(Duration.ofMillis(500));
    assertThat(options.outage).isEqualTo(backoff);
    assertThat(options.retry()).isEqualTo(RetryPolicy.DEFAULT);
  }
}
