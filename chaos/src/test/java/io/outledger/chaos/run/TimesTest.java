// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import org.junit.jupiter.api.Test;

class TimesTest {

  private final Times times = new Times();

  @Test
  void whatArrivedAndIsNotSettledWasInFlight() {
    times.add(1, 100);
    times.add(2, 110);
    times.add(3, 120);
    times.add(5, 130);
    times.add(6, 900);
    Frontier frontier = new Frontier(3, Positions.of(2));

    assertThat(times.unsettled(frontier, 500)).isEqualTo(2); // 2 and 5: 6 came too late
  }

  @Test
  void whatArrivedBeforeTheSpanIsNotOfIt() {
    times.add(1, 100);
    times.add(2, 200);

    assertThat(times.unsettled(Frontier.START, new Times.Span(150, 500))).isEqualTo(1);
  }

  @Test
  void theFirstOfSeveralArrivalsCounts() {
    times.add(1, 700);
    times.add(1, 100);

    assertThat(times.unsettled(Frontier.START, 500)).isEqualTo(1);
  }

  @Test
  void theNextArrivalIsFoundWhateverTheOrder() {
    times.add(70_000, 300);
    times.add(0, 100);
    times.add(3, 200);

    assertThat(times.firstSince(150)).isEqualTo(200);
    assertThat(times.firstSince(200)).isEqualTo(200);
    assertThat(times.firstSince(301)).isZero();
  }
}
