// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DrainTableTest {

  private final Map<Entrant, List<Drained>> measured = new EnumMap<>(Entrant.class);

  @Test
  void rowTellsTheMedianItsSpreadAndHowMuchFasterOutledgerIs() {
    measured.put(Entrant.OUTLEDGER, List.of(drained(1_000, 0), drained(4_000, 0)));
    measured.put(Entrant.GRUELBOX, List.of(drained(100, 250), drained(50, 250), drained(400, 250)));

    assertThat(new DrainTable(measured).markdown())
        .contains("| Outledger | default | 1,000 | 2,500 (1,000 to 4,000) |  |")
        .contains("| 100 (50 to 400) | × 25 | 40 | 2.0, 3.0 | not promised; 25.0 % came late |");
  }

  @Test
  void whoHadAMillionIsHeldAgainstOutledgerOnAMillionWhereThatWasMeasured() {
    measured.put(Entrant.OUTLEDGER, List.of(drained(1_000, 0)));
    measured.put(Entrant.BARE_READ, List.of(drained(2_000, 0)));

    assertThat(new DrainTable(measured).markdown()).contains("| × 0.50 |");

    measured.put(Entrant.OUTLEDGER_MILLION, List.of(drained(1_500, 0)));

    assertThat(new DrainTable(measured).markdown()).contains("| × 0.75 |");
  }

  @Test
  void whoPromisesOrderAndBreaksItIsShownUp() {
    measured.put(Entrant.NAMASTACK, List.of(drained(100, 1)));

    assertThat(new DrainTable(measured).markdown()).contains("**broken**; 0.1 % came late");
  }

  @Test
  void jsonHoldsEveryTurnAsItIsReadBack() {
    Drained drained = drained(100, 1);
    measured.put(Entrant.NAMASTACK, List.of(drained));

    assertThat(new DrainTable(measured).json())
        .contains("\"namastack\": [", "\"published\": 1000", "\"reordered\": 1");
    assertThat(Reply.ofLine(drained.reply().line()).map(Drained::of)).contains(drained);
  }

  private static Drained drained(double perSecond, int reordered) {
    return new Drained(
        1_000,
        1_000,
        0.04,
        1_000 / perSecond,
        new ProcessorTime(2_000, 3_000),
        new Drained.Flaws(reordered, 0));
  }
}
