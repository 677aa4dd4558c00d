// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class ScheduledBenchmarkIT {

  private final List<String> said = new ArrayList<>();

  @Test
  void eachStepIsMeasured() throws Exception {
    Findings findings =
        new ScheduledBenchmark(new ScheduledBenchmark.Plan(60, 1, 500), said::add).run();

    assertThat(findings.json())
        .contains("\"append_alone\"", "\"schedule_many\"", "\"cancel_many\"", "\"drain_alone\"")
        .contains("\"move_many\"", "\"append_ratio\"", "\"ratio\"", "\"late\"");
    assertThat(said).hasSize(10);
  }
}
