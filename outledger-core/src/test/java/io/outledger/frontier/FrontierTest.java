// SPDX-License-Identifier: Apache-2.0
package io.outledger.frontier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FrontierTest {

  @Test
  void passedPositionsAreOpenUntilTheyAreSettled() {
    Frontier frontier = Frontier.START.readTo(5).settle(Positions.of(1, 2, 4));
    assertThat(frontier).isEqualTo(new Frontier(5, Positions.of(3, 5)));
    assertThat(frontier.lowest()).isEqualTo(3);
    assertThat(frontier.isSettled(4)).isTrue();
    assertThat(frontier.isSettled(3)).isFalse();
    assertThat(frontier.isSettled(6)).isFalse();
    assertThat(frontier.settle(Positions.of(3, 5)).lowest()).isEqualTo(6);
    assertThat(frontier.settle(Positions.of(5)).isSettled(5)).isTrue();
    assertThat(frontier.readTo(5)).isSameAs(frontier);
  }

  @Test
  void nothingAboveHighCanBeOpen() {
    assertThatThrownBy(() -> new Frontier(4, Positions.of(5)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Frontier(-1, Positions.NONE))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
