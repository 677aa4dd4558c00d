// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs the benchmark small. What depends on the machine's speed is measured and not judged. */
class RelayBenchmarkIT {

  private final List<String> said = new ArrayList<>();

  @Test
  void everythingIsMeasured() throws Exception {
    RelayPlan plan = new RelayPlan(20_000, 2, Duration.ofSeconds(1), 1_000);

    Figures figures = new RelayBenchmark(plan, said::add).run();

    assertThat(figures.rounds()).hasSize(2).allSatisfy(RelayBenchmarkIT::assertMeasured);
    assertThat(figures.server().fsync()).isEqualTo("on");
    assertThat(figures.server().deadLedgerTuples()).isZero();
    assertThat(figures.latency().sameJvm().size()).isEqualTo(50);
    assertThat(figures.latency().otherProcess().size()).isEqualTo(50);
    assertThat(figures.cost().appendRoundTrips()).containsOnlyKeys(1, 10, 1_000);
    assertThat(figures.cost().appendRoundTrips().values()).containsOnly(1);
    assertThat(figures.cost().bytesPerMessage()).isBetween(200.0, 500.0);
    assertThat(figures.cost().bytesPerInboxRecord()).isPositive();
    assertThat(said).isNotEmpty();
  }

  private static void assertMeasured(Figures.Round round) {
    assertThat(round.ratio()).isPositive();
    assertThat(round.saves()).isPositive();
    assertThat(round.walBytes()).isPositive();
  }
}
