// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.spi.RetentionStore.Step;
import org.junit.jupiter.api.Test;

class RetentionStoreTest {

  @Test
  void stepEndsWhereNothingMoreMayBePurged() {
    assertThat(Step.end(5, 12, 6, 10)).isEqualTo(12);
    assertThat(Step.end(5, 15, 6, 10)).isEqualTo(15);
  }

  @Test
  void stepCoversSoManyPositionsAtMost() {
    assertThat(Step.end(5, 16, 6, 10)).isEqualTo(15);
  }

  @Test
  void numbersThatNobodyHasUsedCostNoStep() {
    assertThat(Step.end(5, 2_000_000, 1_000_000, 10)).isEqualTo(1_000_009);
    assertThat(Step.end(5, 2_000_000, 0, 10)).isEqualTo(2_000_000);
  }

  @Test
  void nothingIsPurgedAboveTheLast() {
    assertThat(Step.end(5, 5, 6, 10)).isEqualTo(5);
    assertThat(Step.end(5, -1, 1_000_000, 10)).isEqualTo(-1);
  }
}
