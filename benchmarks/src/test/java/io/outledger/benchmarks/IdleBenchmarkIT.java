// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class IdleBenchmarkIT {

  private final List<String> said = new ArrayList<>();

  @Test
  void bothProcessesAndTheQueriesAreMeasured() throws Exception {
    Duration second = Duration.ofSeconds(1);

    Findings findings = new IdleBenchmark(new IdleBenchmark.Plan(1, second, 10), said::add).run();

    assertThat(findings.json())
        .contains("\"jvmPercent\"", "\"backendPercent\"", "\"savesPerSecond\"")
        .doesNotContain("\"queriesPerSecond\": 0.000");
    assertThat(said).hasSize(1);
  }
}
