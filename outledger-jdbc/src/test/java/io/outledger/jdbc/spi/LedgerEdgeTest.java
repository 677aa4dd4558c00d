// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import org.junit.jupiter.api.Test;

class LedgerEdgeTest {

  private static final LedgerEdge EDGE = new LedgerEdge(10, Positions.of(2, 3, 9), null);
  private static final Frontier BEFORE = new Frontier(20, Positions.of(5, 15));

  @Test
  void purgeTakesHolesAwayAndMayOvertakeTheEdge() {
    assertThat(EDGE.above(0)).contains(EDGE);
    assertThat(EDGE.above(3).orElseThrow().holes()).isEqualTo(Positions.of(9));
    assertThat(EDGE.above(10).orElseThrow().holes()).isEqualTo(Positions.NONE);
    assertThat(EDGE.above(11)).isEmpty();
  }

  @Test
  void moveBackLeavesOpenWhatTheLastOwnerHadNotSettledThere() {
    assertThat(EDGE.openAfterMove(BEFORE, Positions.of(7, 18)))
        .isEqualTo(Positions.of(2, 3, 5, 7, 9));
  }
}
