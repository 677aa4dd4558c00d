// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Positions;
import org.junit.jupiter.api.Test;

class LedgerEdgeTest {

  private static final LedgerEdge EDGE = new LedgerEdge(10, Positions.of(2, 3, 9), null);

  @Test
  void purgeTakesHolesAwayAndMayOvertakeTheEdge() {
    assertThat(EDGE.above(0)).contains(EDGE);
    assertThat(EDGE.above(3).orElseThrow().holes()).isEqualTo(Positions.of(9));
    assertThat(EDGE.above(10).orElseThrow().holes()).isEqualTo(Positions.NONE);
    assertThat(EDGE.above(11)).isEmpty();
  }
}
