// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.benchmarks.SaveTime;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AgeingTableTest {

  private final Map<Entrant, Map<EntrantBurden, List<Aged>>> measured =
      new EnumMap<>(Entrant.class);

  @Test
  void burdenIsHeldAgainstTheSameEntrantsFreshRateAndSaveTime() {
    measured.put(
        Entrant.OUTLEDGER,
        Map.of(
            EntrantBurden.NONE, List.of(aged(1_000, 1, 4), aged(3_000, 1, 4)),
            EntrantBurden.SNAPSHOT, List.of(aged(500, 2, 5))));

    assertThat(new AgeingTable(measured).markdown())
        .contains(
            "| Outledger | fresh | 2,000 (1,000 to 3,000) | 1.00 | 1.00 (1.00 to 1.00)"
                + " | 4.00 (4.00 to 4.00) | 1.00, 1.00 |")
        .contains(
            "| Outledger | a snapshot held open | 500 (500 to 500) | 0.25 | 2.00 (2.00 to 2.00)"
                + " | 5.00 (5.00 to 5.00) | 0.50, 0.80 |");
  }

  @Test
  void whoHasNothingSettledBehindItIsSaidToDelete() {
    measured.put(Entrant.GRUELBOX_BEST, Map.of(EntrantBurden.NONE, List.of(aged(1_000, 1, 2))));

    assertThat(new AgeingTable(measured).markdown())
        .contains("| settled messages behind it | deletes what it has published | | | | |");
  }

  @Test
  void whatWasNotMeasuredIsNotSaidToBeDeleted() {
    measured.put(Entrant.OUTLEDGER, Map.of(EntrantBurden.NONE, List.of(aged(1_000, 1, 2))));

    assertThat(new AgeingTable(measured).markdown())
        .doesNotContain("deletes")
        .doesNotContain("| a snapshot held open");
  }

  @Test
  void jsonHoldsEveryTurnAsItIsReadBack() {
    Aged aged = aged(100, 1.5, 2.5);
    measured.put(Entrant.DEBEZIUM_BEST, Map.of(EntrantBurden.WRITER, List.of(aged)));

    assertThat(new AgeingTable(measured).json())
        .contains("\"debezium-best\": {", "\"writer\": [", "\"saveP50\": 1.5");
    assertThat(Reply.ofLine(aged.reply().line()).map(Aged::of)).contains(aged);
  }

  private static Aged aged(double perSecond, double saveP50, double saveP99) {
    return new Aged(
        new Drained(
            1_000, 1_000, 0, 1_000 / perSecond, new ProcessorTime(0, 0), new Drained.Flaws(0, 0)),
        new SaveTime(saveP50, saveP99));
  }
}
