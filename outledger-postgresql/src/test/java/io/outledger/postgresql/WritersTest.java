// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WritersTest {

  private static final long CIRCLE = 1L << 32;

  @Test
  void transactionIdIsTheNearestToOneOfNow() {
    assertThat(Writers.whole(700, 800)).isEqualTo(700);
    assertThat(Writers.whole(900, 800)).isEqualTo(900);
    assertThat(Writers.whole(700, 5 * CIRCLE + 800)).isEqualTo(5 * CIRCLE + 700);
    assertThat(Writers.whole(900, 5 * CIRCLE + 800)).isEqualTo(5 * CIRCLE + 900);
  }

  @Test
  void transactionsOfBothSidesOfTheSeamAreTold() {
    assertThat(Writers.whole(CIRCLE - 7, 3 * CIRCLE + 2)).isEqualTo(3 * CIRCLE - 7);
    assertThat(Writers.whole(5, 3 * CIRCLE - 2)).isEqualTo(3 * CIRCLE + 5);
  }
}
