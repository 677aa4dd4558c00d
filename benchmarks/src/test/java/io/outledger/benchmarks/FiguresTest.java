// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FiguresTest {

  private static final Figures FIGURES =
      new Figures(
          new RelayPlan(1_000, 3, Duration.ofSeconds(1), 10),
          List.of(
              new Figures.Round(1_000, 800, 10, 500, 5),
              new Figures.Round(2_000, 1_000, 12, 600, 5),
              new Figures.Round(1_500, 900, 11, 700, 5)),
          new Figures.Server("18.6", "on", 0, 3),
          new Figures.Latency(Sample.of(List.of(0.5, 0.7)), Sample.of(List.of(9.25))),
          new Figures.Cost(new TreeMap<>(Map.of(1, 1, 10, 1, 1_000, 2)), 338.04, 171.6));

  @Test
  void jsonHoldsMediansAndEveryRound() {
    assertThat(FiguresJson.of(FIGURES))
        .isEqualTo(
            """
            {
              "messages": 1000,
              "page": 5000,
              "rawPerSecond": 1500,
              "relayPerSecond": 900,
              "ratio": 0.600,
              "heapMb": 12.0,
              "walBytesPerMessage": 0.600,
              "deadTuples": 3,
              "latencySameJvmMs": {"p50": 0.500, "p99": 0.700},
              "latencyOtherProcessMs": {"p50": 9.250, "p99": 9.250},
              "appendRoundTrips": 2,
              "bytesPerMessage": 338.0,
              "bytesPerInboxRecord": 171.6,
              "rounds": [
                {"rawPerSecond": 1000, "relayPerSecond": 800, "ratio": 0.800, "heapMb": 10.0, \
            "walBytes": 500, "saves": 5},
                {"rawPerSecond": 2000, "relayPerSecond": 1000, "ratio": 0.500, "heapMb": 12.0, \
            "walBytes": 600, "saves": 5},
                {"rawPerSecond": 1500, "relayPerSecond": 900, "ratio": 0.600, "heapMb": 11.0, \
            "walBytes": 700, "saves": 5}
              ]
            }
            """);
  }

  @Test
  void tablePutsEachFigureBesideItsTarget() {
    assertThat(FiguresTable.of(FIGURES))
        .containsPattern("ratio +0\\.60 \\(0\\.50 to 0\\.80\\) +>= 0\\.50, better 0\\.80")
        .containsPattern("dead rows +ledger 0, cursor 3 +0")
        .containsPattern("by its messages +1: 1, 10: 1, 1,000: 2 +1");
  }
}
