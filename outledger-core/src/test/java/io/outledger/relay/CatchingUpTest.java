// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CatchingUpTest {

  private static final long SECOND = 1_000_000_000L;

  private final CatchingUp catchingUp = new CatchingUp(0);

  @Test
  void nothingIsWaitedForBeforeAnythingHasComeBack() {
    assertThat(catchingUp.goesFirst(0)).isFalse();
  }

  @Test
  void halfAsManyAreReadAsComeBack() {
    catchingUp.cameBack(10, SECOND);
    assertThat(catchingUp.goesFirst(SECOND)).isFalse();
    catchingUp.read(20, true);
    assertThat(catchingUp.goesFirst(SECOND)).isTrue();
    catchingUp.cameBack(30, SECOND);
    assertThat(catchingUp.goesFirst(SECOND)).isTrue();
    catchingUp.cameBack(1, SECOND);
    assertThat(catchingUp.goesFirst(SECOND)).isFalse();
  }

  @Test
  void nobodyWaitsWhereNothingHasComeBackForASecond() {
    catchingUp.cameBack(1, SECOND);
    catchingUp.read(20, true);
    catchingUp.cameBack(0, 2 * SECOND - 1);
    assertThat(catchingUp.goesFirst(2 * SECOND - 1)).isTrue();
    assertThat(catchingUp.goesFirst(2 * SECOND)).isFalse();
  }

  @Test
  void whatIsReadWhileNobodyIsBehindIsNotOwed() {
    catchingUp.cameBack(1, SECOND);
    catchingUp.read(20, true);
    catchingUp.read(5, false);
    catchingUp.cameBack(1, SECOND);
    assertThat(catchingUp.goesFirst(SECOND)).isFalse();
  }
}
