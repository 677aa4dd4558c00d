// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class SteadyBenchmarkIT {

  private final List<String> said = new ArrayList<>();

  @Test
  void eachDatabaseIsMeasured() throws Exception {
    List<String> names = List.copyOf(MeasuredDatabase.ALL.keySet());
    var plan = new SteadyBenchmark.Plan(names, 1_000, 3_000, 1, 1, Duration.ofMillis(200));

    String json = new SteadyBenchmark(plan, said::add).run().report().json();

    assertThat(names)
        .allSatisfy(
            name ->
                assertThat(json)
                    .contains(
                        "\"" + name + "IdleJvm\"",
                        "\"" + name + "AppendP99Beside\"",
                        "\"" + name + "Settled\"",
                        "\"" + name + "Snapshot\""));
    assertThat(json)
        .contains("\"mysqlHoleP50\"", "\"mariadbWriter\"", "\"sqliteNoCheckpointsMax\"");
    assertThat(said).isNotEmpty();
  }
}
