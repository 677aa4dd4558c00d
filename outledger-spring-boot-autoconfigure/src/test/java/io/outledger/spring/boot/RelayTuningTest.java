// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.relay.options.RelayOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RelayTuningTest {

  private static final String TUNING = "outledger.relay.tuning.";

  @Test
  void itsDefaultsAreThoseOfTheOptions() {
    assertThat(options()).hasToString(RelayOptions.defaults().toString());
  }

  @Test
  void eachPropertyIsAnOption() {
    RelayOptions options =
        options(
            TUNING + "save-wait=60ms",
            TUNING + "poll-busy=6ms",
            TUNING + "page-messages=7",
            TUNING + "page-size=8KB",
            TUNING + "window-messages=9",
            TUNING + "window-size=10KB",
            TUNING + "probe-first=11ms",
            TUNING + "probe-max=12ms",
            TUNING + "holds-up-others-max=13s",
            TUNING + "breaker-failures=14",
            TUNING + "breaker-probe-for=15s",
            TUNING + "breaker-probe-first=16ms",
            TUNING + "breaker-probe-max=17ms",
            TUNING + "breaker-rejections-per-second=18",
            TUNING + "open-ranges-max=19",
            TUNING + "hole-ranges-in-row-max=20");

    assertThat(options.saveWait()).isEqualTo(Duration.ofMillis(60));
    assertThat(options.polling().busy()).isEqualTo(Duration.ofMillis(6));
    assertThat(options.polling().pageMessagesMax()).isEqualTo(7);
    assertThat(options.polling().pageBytesMax()).isEqualTo(8192);
    assertThat(options.window().messages()).isEqualTo(9);
    assertThat(options.window().bytes()).isEqualTo(10240);
    assertThat(options.outage().probes().first()).isEqualTo(Duration.ofMillis(11));
    assertThat(options.outage().probes().max()).isEqualTo(Duration.ofMillis(12));
    assertThat(options.outage().holdsUpOthersMax()).isEqualTo(Duration.ofSeconds(13));
    assertThat(options.breaker().failures()).isEqualTo(14);
    assertThat(options.breaker().probeFor()).isEqualTo(Duration.ofSeconds(15));
    assertThat(options.breaker().probes().first()).isEqualTo(Duration.ofMillis(16));
    assertThat(options.breaker().probes().max()).isEqualTo(Duration.ofMillis(17));
    assertThat(options.breaker().rejectionsPerSecond()).isEqualTo(18);
    assertThat(options.holes().openRangesMax()).isEqualTo(19);
    assertThat(options.holes().rangesInRowMax()).isEqualTo(20);
  }

  @Test
  void whatIsNotValidIsToldAtTheStart() {
    assertThatThrownBy(
            () ->
                PropertyProblems.check(
                    BrokersOf.properties(
                            TUNING + "page-messages=0",
                            TUNING + "save-wait=5s",
                            "outledger.retention.interval=0s",
                            "outledger.json.strict=true",
                            "outledger.json.mapper=application",
                            "outledger.retention.batch=0")
                        .outledger()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll(
            "outledger.relay.tuning cannot be used",
            "pageMessagesMax",
            "saveWait",
            "outledger.retention.interval is 0",
            "outledger.json.strict has no effect",
            "outledger.retention.batch is 0, and must be 1 to 1000000");
  }

  private static RelayOptions options(String... properties) {
    return BrokersOf.properties(properties)
        .outledger()
        .relay()
        .tuning()
        .applyTo(RelayOptions.builder())
        .build();
  }
}
