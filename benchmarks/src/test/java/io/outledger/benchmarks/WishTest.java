// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class WishTest {

  @Test
  void whatWasLeftOutIsWhatTheBenchmarkTakes() {
    Wish wish = new Wish(Map.of("messages", "20", "rounds", ""));

    assertThat(wish.messages(7)).isEqualTo(20);
    assertThat(wish.rounds(7)).isEqualTo(7);
  }
}
