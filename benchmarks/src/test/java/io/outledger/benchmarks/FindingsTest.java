// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FindingsTest {

  private final Findings findings =
      new Findings("%,d messages", 1_000)
          .add("ratio", "ratio", "%.2f", 0.9, ">= 0.85")
          .add("rate", "messages a second", "%,.0f", Sample.of(List.of(1_500, 500, 1_000)), "");

  @Test
  void tableAlignsItsColumns() {
    assertThat(findings.table().lines())
        .containsExactly(
            "1,000 messages     measured              goal",
            "ratio              0.90                  >= 0.85",
            "messages a second  1,000 (500 to 1,500)");
  }

  @Test
  void jsonHoldsEachFigure() {
    assertThat(findings.json())
        .isEqualTo(
            """
            {
              "ratio": 0.900,
              "rate": {"median": 1000.000, "min": 500.000, "max": 1500.000}
            }
            """);
  }
}
