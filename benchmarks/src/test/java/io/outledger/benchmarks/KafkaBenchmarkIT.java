// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class KafkaBenchmarkIT {

  private final List<String> said = new ArrayList<>();

  @Test
  void bothSidesSendEveryRecord() throws Exception {
    Findings findings = new KafkaBenchmark(new KafkaPlan(2_000, 2, 0, 500, false), said::add).run();

    assertThat(findings.json())
        .contains("\"barePerSecond\"", "\"relayPerSecond\"", "\"ratio\"", "CpuMicrosDatabase\"");
    assertThat(said).hasSize(2);
  }
}
