// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class StartTest {

  @Test
  void positionsBeginWithOne() {
    assertThat(Start.at(1)).isEqualTo(new Start.AtPosition(1));
    assertThatThrownBy(() -> Start.at(0)).isInstanceOf(IllegalArgumentException.class);
  }
}
