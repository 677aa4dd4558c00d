// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class BrokersBenchmarkIT {

  private final List<String> said = new ArrayList<>();

  @Test
  void bothSidesSendAndReceiveEveryMessage() throws Exception {
    Findings findings =
        new BrokersBenchmark(500, 2, Duration.ofSeconds(1), said::add)
            .run(Map.of("nats", MeasuredNats::new));

    assertThat(findings.json()).contains("\"natsBare\"", "\"natsRelay\"", "\"natsRatio\"");
    assertThat(findings.json())
        .contains("\"natsTutorial\"", "\"natsReceiver\"", "\"natsReceiverRatio\"");
    assertThat(findings.json()).contains("\"natsLatencyP50\"", "\"natsLatencyP99\"");
    assertThat(said).hasSize(3);
  }
}
