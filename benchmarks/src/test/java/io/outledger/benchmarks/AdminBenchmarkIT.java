// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class AdminBenchmarkIT {

  private final List<String> said = new ArrayList<>();

  @Test
  void everyReadIsMeasured() throws Exception {
    Findings findings = new Findings("what an operator reads");

    new AdminBenchmark(100_000, 1, said::add).measure(findings, "here", 18, false);

    assertThat(findings.json())
        .contains("\"here.outledger_lag.p99\"", "\"here.overview.p99\"", "\"here.why, none.p99\"");
    assertThat(said).isNotEmpty();
  }
}
