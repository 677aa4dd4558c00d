// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class SpringBenchmarkIT {

  private final List<String> said = new ArrayList<>();

  @Test
  void eachApplicationIsStartedAndBothWaysAreMeasured() throws Exception {
    Duration halfSecond = Duration.ofMillis(500);
    SpringBenchmark.Plan plan =
        new SpringBenchmark.Plan(Path.of("spring"), 1, halfSecond, halfSecond, halfSecond);

    Findings findings = new SpringBenchmark(plan, said::add).run();

    assertThat(findings.json())
        .contains("\"plainConnectionsKept\": {\"median\": 0.000")
        .contains("\"kafkaConnectionsKept\": {\"median\": 1.000")
        .contains("\"handlerConnectionsKept\": {\"median\": 1.000")
        .contains("\"kafkaHeapMore\"", "\"ratio\"", "\"ratioBeside\"")
        .doesNotContain("Start\": {\"median\": 0.000");
    assertThat(said).hasSize(4);
  }
}
