// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class HandlersBenchmarkIT {

  private final List<String> said = new ArrayList<>();

  @Test
  void handlersRunAtATimeAndOneForEachKey() throws Exception {
    HandlersBenchmark.Plan plan =
        new HandlersBenchmark.Plan(2_000, 1, Duration.ofMillis(500), List.of(2, 4));

    Findings findings = new HandlersBenchmark(plan, said::add).run();

    assertThat(findings.json())
        .contains("\"plain2\"", "\"plain4OfPossible\"", "\"transactional4\"")
        .doesNotContain(": {\"median\": 0.000");
    assertThat(said).hasSize(4);
  }
}
