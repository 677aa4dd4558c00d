// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ComparePlanTest {

  private final ComparePlan plan = ComparePlan.whole();

  @Test
  void whoIsSlowHasFewerWaitingAndNobodyMoreThanItsAll() {
    assertThat(plan.messages(Entrant.GRUELBOX, after(100))).isEqualTo(1_000);
    assertThat(plan.messages(Entrant.GRUELBOX, after(700))).isEqualTo(5_000);
    assertThat(plan.messages(Entrant.GRUELBOX, after(1_000_000))).isEqualTo(100_000);
  }

  @Test
  void whoIsFastHasAllFromTheStart() {
    assertThat(plan.warmUpMessages(Entrant.OUTLEDGER_MILLION)).isEqualTo(1_000_000);
    assertThat(plan.messages(Entrant.OUTLEDGER_MILLION, after(1))).isEqualTo(1_000_000);
    assertThat(plan.ofMessages(500).messages(Entrant.OUTLEDGER_MILLION, after(1))).isEqualTo(500);
  }

  @Test
  void whereItIsAboutAgeingASlowOneHasEnoughToShowIt() {
    assertThat(plan.agedMessages(Entrant.MODULITH_BEST, after(400))).isEqualTo(5_000);
    assertThat(plan.agedMessages(Entrant.GRUELBOX_BEST, after(3_000))).isEqualTo(20_000);
    assertThat(plan.agedMessages(Entrant.OUTLEDGER, after(1))).isEqualTo(200_000);
    assertThat(plan.ofMessages(500).agedMessages(Entrant.MODULITH_BEST, after(400))).isEqualTo(500);
  }

  private static Drained after(double perSecond) {
    return new Drained(
        2_000, 2_000, 0, 2_000 / perSecond, new ProcessorTime(0, 0), new Drained.Flaws(0, 0));
  }
}
