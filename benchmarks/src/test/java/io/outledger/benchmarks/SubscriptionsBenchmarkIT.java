// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class SubscriptionsBenchmarkIT {

  private final List<String> said = new ArrayList<>();

  @Test
  void everySubscriptionReadsAllOnItsConnection() throws Exception {
    SubscriptionsBenchmark.Plan plan = new SubscriptionsBenchmark.Plan(2_000, 1, List.of(1, 3));

    Findings findings = new SubscriptionsBenchmark(plan, said::add).run();

    assertThat(findings.json())
        .contains("\"of1Connections\": {\"median\": 1.0", "\"of3Connections\": {\"median\": 3.0")
        .contains("\"of3Slowest\"")
        .doesNotContain("\"of3Polls\": {\"median\": 0");
    assertThat(said).hasSize(2);
  }
}
