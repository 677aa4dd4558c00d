// SPDX-License-Identifier: Apache-2.0
package io.outledger.parking;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Of a kind it is known how many messages are kept. */
class FailingKindsTest {

  private final List<String> forgotten = new ArrayList<>();
  private final FailingKinds<String, Integer> kinds =
      new FailingKinds<>(kept -> kept == 0, (kind, kept) -> forgotten.add(kind));

  private void fail(int from, int to, int kept) {
    for (int i = from; i <= to; i++) {
      kinds.failed("kind " + i, () -> kept);
    }
  }

  @Test
  void oldestIsForgottenThatKeepsNothing() {
    fail(1, 2, 7);
    fail(3, FailingKinds.KINDS_MAX, 0);
    assertThat(forgotten).isEmpty();
    fail(2_000, 2_001, 0);
    assertThat(forgotten).containsExactly("kind 3", "kind 4");
    assertThat(kinds.values()).hasSize(FailingKinds.KINDS_MAX);
    assertThat(kinds.get("kind 1")).isEqualTo(7);
    assertThat(kinds.get("kind 3")).isNull();
  }

  @Test
  void whatKeepsMessagesIsNotForgottenHoweverManyThereAre() {
    fail(1, FailingKinds.KINDS_MAX + 9, 1);
    assertThat(forgotten).isEmpty();
    assertThat(kinds.values()).hasSize(FailingKinds.KINDS_MAX + 9);
    kinds.forget(kept -> kept == 1);
    assertThat(forgotten).hasSize(FailingKinds.KINDS_MAX + 9);
    assertThat(kinds.isEmpty()).isTrue();
  }

  @Test
  void kindThatFailsAgainIsTheSameUntilItIsRemoved() {
    fail(1, 1, 5);
    assertThat(kinds.failed("kind 1", () -> 6)).isEqualTo(5);
    assertThat(kinds.remove("kind 1")).isEqualTo(5);
    assertThat(kinds.remove("kind 1")).isNull();
    assertThat(kinds.failed("kind 1", () -> 6)).isEqualTo(6);
    assertThat(forgotten).isEmpty();
  }
}
