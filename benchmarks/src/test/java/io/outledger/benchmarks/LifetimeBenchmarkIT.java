// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class LifetimeBenchmarkIT {

  private final List<String> said = new ArrayList<>();

  @Test
  void bothKeepTheSameDays() throws Exception {
    LifetimePlan plan = new LifetimePlan(3, 500, 1);

    Findings findings = new LifetimeBenchmark(plan, said::add).run();

    assertThat(findings.json())
        .contains("\"deletedRows\": 500.000", "\"droppedRows\": 500.000")
        .doesNotContain("\"deletedRemoveWal\": 0.000");
    assertThat(said).hasSize(Shelf.values().length);
  }
}
