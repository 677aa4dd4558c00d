// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.relay.Pull;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How often a pull writes its cursor's row, over a ledger in memory. */
class PullSavesTest extends PulledLedger {

  private static final int A_SECOND = 10; // steps

  private final Map<String, Integer> calls = new HashMap<>();

  /** Counts the calls by their names. */
  @Override
  @Nullable Object answered(int slot, String method, @Nullable Object own) {
    calls.merge(method + " of " + slot, 1, Integer::sum);
    return own;
  }

  private int calls(String name) {
    return calls.getOrDefault(name, 0);
  }

  @Test
  void theRowFollowsOnceASecond() {
    Pull pull = pull(0);
    for (int i = 0; i < 10 * A_SECOND; i++) {
      append("a", i);
      step(pull);
    }
    assertThat(calls("save of 0")).isBetween(9, 10);
  }

  @Test
  void anIdlePullRenewsItsLeaseAndWritesNothingElse() {
    Pull pull = pull(0);
    step(pull);
    calls.clear();
    for (int i = 0; i < LEASE.toSeconds() * A_SECOND; i++) {
      step(pull);
    }
    assertThat(calls("save of 0")).isBetween(2, 3); // each third of it
  }

  /** Those of the first slot, too, whose housekeeping is that of a relay. */
  @Test
  void oldRowsOfEachSlotAreRemovedAfterAThousandSaves() {
    slots(2);
    Pull pull = pull(0, 1);
    for (int i = 0; calls("save of 1") < 2_500; i++) {
      append("a", i);
      step(pull);
      clock.advance(Duration.ofSeconds(1));
    }
    assertThat(calls("purgeCursor of 0")).isGreaterThanOrEqualTo(2);
    assertThat(calls("purgeCursor of 1")).isEqualTo(2);
  }
}
