// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class DatabasesBenchmarkIT {

  private final List<String> said = new ArrayList<>();

  @Test
  void eachDatabaseIsMeasuredBesideAnOutboxWrittenByHand() throws Exception {
    List<String> names = List.copyOf(MeasuredDatabase.ALL.keySet());
    var plan = new DatabasesBenchmark.Plan(names, 1_500, 1, Duration.ofMillis(50));

    String json = new DatabasesBenchmark(plan, said::add).run().report().json();

    assertThat(names)
        .allSatisfy(
            name ->
                assertThat(json)
                    .contains(
                        "\"" + name + "OfByHand\"",
                        "\"" + name + "OfBatched\"",
                        "\"" + name + "Write1x1Ratio\"",
                        "\"" + name + "Write4x10Ratio\""));
    assertThat(said).isNotEmpty();
  }
}
