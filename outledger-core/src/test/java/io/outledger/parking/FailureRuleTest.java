// SPDX-License-Identifier: Apache-2.0
package io.outledger.parking;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.relay.options.RetryPolicy.DeadLetter;
import io.outledger.store.FailedAttempt;
import io.outledger.store.ParkedFailure;
import io.outledger.store.ParkedState;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FailureRuleTest {

  private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1));

  private static final FailedAttempt ATTEMPT = new FailedAttempt(Duration.ofMillis(12));

  private static FailureRule rule(DeadLetter deadLetter) {
    return new FailureRule(new RetryPolicy(3, BACKOFF, deadLetter), new SplittableRandom(7));
  }

  @Test
  void attemptsAreUsedUpOneByOne() {
    FailureRule rule = rule(DeadLetter.KEY_GOES_ON);
    ParkedFailure second = rule.failed(1, false, "no stock", ATTEMPT);
    assertThat(second.state()).isEqualTo(ParkedState.RETRYING);
    assertThat(second.attempts()).isEqualTo(2);
    assertThat(second.blocks()).isTrue();
    assertThat(second.delay()).isPositive();
    assertThat(second.attempt()).isEqualTo(ATTEMPT);
    ParkedFailure third = rule.failed(2, false, "no stock", ATTEMPT);
    assertThat(third)
        .isEqualTo(
            new ParkedFailure(ParkedState.DEAD, false, 3, "no stock", Duration.ZERO, ATTEMPT));
  }

  @Test
  void whatCannotSucceedIsDeadAtOnceAndBlocksItsKeyByChoice() {
    assertThat(rule(DeadLetter.KEY_STAYS_BLOCKED).failed(0, true, "no such type", ATTEMPT))
        .isEqualTo(
            new ParkedFailure(ParkedState.DEAD, true, 1, "no such type", Duration.ZERO, ATTEMPT));
  }

  @Test
  void messageBehindAnotherHasNoTimeOfItsOwnAndKeepsItsAttempts() {
    ParkedFailure failed = rule(DeadLetter.KEY_GOES_ON).failed(0, false, "no stock", ATTEMPT);
    assertThat(failed.behindAnother())
        .isEqualTo(
            new ParkedFailure(ParkedState.HELD, true, 1, "no stock", Duration.ZERO, ATTEMPT));
  }
}
