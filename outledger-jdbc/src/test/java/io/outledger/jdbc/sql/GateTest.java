// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Positions;
import org.junit.jupiter.api.Test;

/** When a round of those who may fill a hole is over. */
class GateTest {

  private static final int ALL = (1 << Gate.SLOTS) - 1;
  private static final Positions OPEN = Positions.of(5, 15, 25);

  private final Gate gate = new Gate();

  @Test
  void roundIsOverOnceEachSlotWasSeenFreeAndNoRowIsLocked() {
    gate.saved(10);
    gate.looked(ALL - 1);
    assertThat(gate.toProbe(OPEN)).isEqualTo(Positions.NONE);
    gate.looked(1);
    assertThat(gate.toProbe(OPEN)).isEqualTo(Positions.of(5));
    assertThat(gate.numbers()).hasSize(1);
    gate.probed();
    assertThat(gate.numbers()).isEmpty();
    assertThat(gate.wantsLook()).isFalse();
  }

  @Test
  void allThatIsOverIsProbedAtOnce() {
    gate.saved(10);
    gate.looked(0);
    gate.saved(20);
    gate.looked(ALL);
    assertThat(gate.toProbe(OPEN)).isEqualTo(Positions.of(5, 15));
    gate.probed();
    assertThat(gate.numbers()).isEmpty();
  }

  @Test
  void laterSaveBeginsARoundThatSeesEachSlotAgain() {
    gate.saved(10);
    gate.looked(ALL - 1);
    gate.saved(20);
    gate.looked(1);
    assertThat(gate.toProbe(OPEN)).isEqualTo(Positions.of(5));
    gate.probed();
    assertThat(gate.numbers()).hasSize(1);
    gate.looked(ALL - 1);
    assertThat(gate.toProbe(Positions.of(15, 25))).isEqualTo(Positions.of(15));
  }

  /** The limit: a look cannot tell a slot that is held on from one that is held again. */
  @Test
  void slotThatOneHolderAfterTheOtherKeepsIsWaitedForHoweverShortEachIs() {
    gate.saved(10);
    for (int i = 0; i < 1_000; i++) {
      gate.looked(ALL - 1);
      gate.saved(20);
      assertThat(gate.toProbe(OPEN)).isEqualTo(Positions.NONE);
    }
    assertThat(gate.numbers()).hasSize(9);
    gate.looked(1);
    gate.probed();
    gate.looked(1);
    assertThat(gate.numbers()).hasSize(1);
    gate.looked(ALL);
    gate.probed();
    assertThat(gate.numbers()).isEmpty();
  }
}
