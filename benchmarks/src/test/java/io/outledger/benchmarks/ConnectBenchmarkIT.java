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
class ConnectBenchmarkIT {

  private final List<String> said = new ArrayList<>();

  @Test
  void eachSideSendsEveryMessageOnceAndEveryPartIsMeasured() throws Exception {
    ConnectPlan plan =
        new ConnectPlan(
            Path.of("connect"), 1_000, 1, 100, Duration.ofSeconds(2), Duration.ofSeconds(1));

    String json = new ConnectBenchmark(plan, said::add).run().json();

    for (String side : List.of("relay", "connector", "debezium")) {
      assertThat(json)
          .contains("\"" + side + "Timed\": 200.000")
          .contains("\"" + side + "CpuMicrosDatabase\"", "\"" + side + "P99\"")
          .doesNotContain("\"" + side + "Rss\": 0.000", "\"" + side + "Heap\": 0.000");
    }
    assertThat(said).hasSize(1 + 2 * 3 + 3); // it fails where a side's records are not 1,000
  }
}
