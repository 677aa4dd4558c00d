// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class AgeingBenchmarkIT {

  private final List<String> said = new ArrayList<>();

  @Test
  void everyBurdenIsMeasuredBesideNone() throws Exception {
    AgeingPlan plan = new AgeingPlan(2_000, 1, 2_000, 100, 100);

    Map<Burden, List<AgedDrain.Drained>> measured = new AgeingBenchmark(plan, said::add).run();

    assertThat(measured).containsOnlyKeys(Burden.values());
    assertThat(measured.values())
        .allSatisfy(
            drained ->
                assertThat(drained)
                    .singleElement()
                    .satisfies(one -> assertThat(one.perSecond()).isPositive())
                    .satisfies(one -> assertThat(one.polls()).isPositive())
                    .extracting(AgedDrain.Drained::save)
                    .satisfies(
                        save ->
                            assertThat(save.p50()).isPositive().isLessThanOrEqualTo(save.p99())));
    AgeingTable table = new AgeingTable(measured);
    assertThat(table.ratio(Burden.NONE)).isEqualTo(1);
    assertThat(table.text().lines()).hasSize(Burden.values().length);
    assertThat(table.json()).contains("\"writer\"", "\"ofFresh\"", "\"saveP99\"");
    assertThat(said).hasSize(Burden.values().length);
  }
}
