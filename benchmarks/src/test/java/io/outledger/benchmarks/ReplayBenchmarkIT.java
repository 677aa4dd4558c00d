// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class ReplayBenchmarkIT {

  private final List<String> said = new ArrayList<>();

  @Test
  void eachMessageIsProcessedExactlyOnceMore() throws Exception {
    ReplayBenchmark.Plan plan = new ReplayBenchmark.Plan(20_000, 500);

    String json = new ReplayBenchmark(plan, said::add).run().json();

    assertThat(json).contains("\"again\": 20000.000", "\"kills\": 2.000");
    assertThat(json).contains("\"live\": 1000.000", "\"all\": 41000.000", "\"besideP99\"");
    assertThat(said).isNotEmpty();
  }
}
