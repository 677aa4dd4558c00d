// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.store.Start;
import org.junit.jupiter.api.Test;

class LedgerEdgeTest {

  private static final LedgerEdge EDGE = new LedgerEdge(10, Positions.of(2, 3, 9), null);
  private static final Frontier BEFORE = new Frontier(20, Positions.of(5, 15));
  private static final Start BACK = new Start.AtPosition(11);

  @Test
  void purgeTakesHolesAwayAndMayOvertakeTheEdge() {
    assertThat(EDGE.above(0)).contains(EDGE);
    assertThat(EDGE.above(3).orElseThrow().holes()).isEqualTo(Positions.of(9));
    assertThat(EDGE.above(10).orElseThrow().holes()).isEqualTo(Positions.NONE);
    assertThat(EDGE.above(11)).isEmpty();
  }

  @Test
  void moveBackLeavesOpenWhatTheLastOwnerHadNotSettledThere() {
    assertThat(EDGE.openAfterMove(BACK, BEFORE, Positions.of(7, 18)))
        .isEqualTo(Positions.of(2, 3, 5, 7, 9));
  }

  @Test
  void moveForwardOrToNowSkipsWhatIsBefore() {
    Frontier below = new Frontier(9, Positions.of(5));
    assertThat(EDGE.openAfterMove(BACK, below, Positions.NONE)).isEqualTo(EDGE.holes());
    assertThat(EDGE.openAfterMove(Start.NOW, BEFORE, Positions.of(7))).isEqualTo(EDGE.holes());
  }
}
