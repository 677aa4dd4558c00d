// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class BacklogBenchmarkIT {

  private final List<String> said = new ArrayList<>();

  @Test
  void whatCameWhileTheBrokerWasDownIsDeliveredInOrder() throws Exception {
    assertThat(measured(false).json()).doesNotContain("\"attempts\": 0.000");
  }

  @Test
  void whatCameWhileKafkaWasStoppedIsDeliveredInOrder() throws Exception {
    assertThat(measured(true).json()).contains("\"pageRatio\"");
  }

  private Findings measured(boolean isKafka) throws Exception {
    BacklogPlan plan = new BacklogPlan(20_000, 1, Duration.ofSeconds(1), isKafka);

    Findings findings = new BacklogBenchmark(plan, said::add).run();

    assertThat(findings.json())
        .contains("\"undelivered\": 0.000", "\"drainRatio\"", "\"pollRatio\"");
    assertThat(said).isNotEmpty();
    return findings;
  }
}
