// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InboxBenchmarkIT {

  private final List<String> said = new ArrayList<>();

  @Test
  void eachWayTakesNewMessagesAndKnownOnes() throws Exception {
    Findings findings = new InboxBenchmark(new InboxBenchmark.Plan(60, 1), said::add).run();

    assertThat(findings.json())
        .contains(
            "\"tutorial\"", "\"one_by_one\"", "\"batchedAgain\"", "\"bytes_outledger_inbox\"");
    assertThat(said).hasSize(InboxWay.values().length);
  }
}
