// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.options;

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
            .polling(p -> p.withPageMessagesMax(0))
            .polling(p -> p.withPageBytesMax(0))
            .window(w -> w.withMessages(0))
            .window(w -> w.withBytes(0))
            .polling(p -> p.withIdle(Duration.ZERO))
            .polling(p -> p.withBusy(Duration.ZERO))
            .holes(h -> h.withOpenRangesMax(0))
            .holes(h -> h.withRangesInRowMax(-1));
    assertThatThrownBy(builder::build)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("OUT-021")
        .hasMessageContainingAll(
            "lease is 499 ms but must be between 500 ms and 1 day",
            "pageMessagesMax is 0 but must be 1 or more",
            "pageBytesMax is 0 but must be 1 or more",
            "window.messages is 0 but must be 1 or more",
            "window.bytes is 0 but must be 1 or more",
            "polling.idle is 0 s but must be positive",
            "polling.busy is 0 s but must be positive",
            "openRangesMax is 0 but must be 1 or more",
            "holes.rangesInRowMax is -1 but must be 0 or more");
    Duration forever = Duration.ofSeconds(Long.MAX_VALUE);
    assertThatThrownBy(RelayOptions.builder().lease(forever)::build)
        .hasMessageContaining(
            "lease is 9223372036854775807 s but must be between 500 ms and 1 day");
    RelayOptions.Builder slow = RelayOptions.builder().lease(Duration.ofMillis(500));
    assertThatThrownBy(slow.saveWait(Duration.ofMillis(51))::build)
        .hasMessageContaining(
            "saveWait is 51 ms but must be between zero and a tenth of the lease");
    assertThatThrownBy(slow.saveWait(NANO.negated())::build).hasMessageContaining("saveWait");
    RelayOptions.Builder negative = RelayOptions.builder().polling(p -> p.withIdle(NANO.negated()));
    assertThatThrownBy(negative::build).hasMessageContaining("polling.idle");
    RelayOptions.Builder impatient =
        RelayOptions.builder().outage(d -> d.withHoldsUpOthersMax(NANO.negated()));
    assertThatThrownBy(impatient::build)
        .hasMessageContaining(
            "outage.holdsUpOthersMax is PT-0.000000001S but must not be negative");
  }

  @Test
  void defaultsNeedNoThought() {
    assertThat(RelayOptions.defaults().lease()).isEqualTo(Duration.ofSeconds(10));
    assertThat(RelayOptions.defaults().saveWait()).isEqualTo(Duration.ofMillis(50));
  }

  @Test
  void optionsSayWhatTheyAre() {
    assertThat(RelayOptions.defaults().toString())
        .startsWith(
            "RelayOptions[LeaseOptions[length=PT10S, saveWait=PT0.05S], PollingOptions[idle")
        .endsWith("HoleOptions[openRangesMax=200000, rangesInRowMax=200], no transforms]");
    Transforms own = Transforms.NONE.withFilter(Accepts.rule("all", message -> true));
    assertThat(RelayOptions.builder().transforms(own).build().toString())
        .endsWith("transforms of the application's]");
  }

  @Test
  void smallestOptionsAreGood() {
    Backoff backoff = new Backoff(NANO, NANO);
    RelayOptions options =
        RelayOptions.builder()
            .lease(Duration.ofMillis(500))
            .polling(p -> p.withPageMessagesMax(1))
            .polling(p -> p.withPageBytesMax(1))
            .window(w -> w.withMessages(1))
            .window(w -> w.withBytes(1))
            .polling(p -> p.withIdle(NANO))
            .polling(p -> p.withBusy(NANO))
            .saveWait(Duration.ofMillis(50))
            .holes(h -> h.withOpenRangesMax(1))
            .holes(h -> h.withRangesInRowMax(0))
            .outage(d -> d.withProbes(backoff))
            .outage(d -> d.withHoldsUpOthersMax(Duration.ZERO))
            .build();
    assertThat(options.lease()).isEqualTo(Duration.ofMillis(500));
    assertThat(options.outage().probes()).isEqualTo(backoff);
    assertThat(options.retry()).isEqualTo(RetryPolicy.DEFAULT);
  }
}
