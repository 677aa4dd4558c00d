// SPDX-License-Identifier: Apache-2.0
package io.outledger.parking;

import io.outledger.relay.options.RetryPolicy;
import io.outledger.store.FailedAttempt;
import io.outledger.store.ParkedFailure;
import io.outledger.store.ParkedState;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Decides how a message is parked, by the policy of a relay or a receiver. Thread-safe. */
public final class FailureRule {

  private final RetryPolicy retry;
  private final RandomGenerator random;

  /** Makes it of a policy. */
  public FailureRule(RetryPolicy retry, RandomGenerator random) {
    this.retry = retry;
    this.random = random;
  }

  /**
   * Returns how a message is parked after a failed attempt.
   *
   * @param before how many attempts have failed before this one
   * @param isFinal whether no attempt can succeed
   */
  public ParkedFailure failed(int before, boolean isFinal, String reason, FailedAttempt attempt) {
    int attempts = before + 1;
    if (isFinal || attempts >= retry.attemptsMax()) {
      boolean blocks = retry.deadLetter() == RetryPolicy.DeadLetter.KEY_STAYS_BLOCKED;
      return new ParkedFailure(ParkedState.DEAD, blocks, attempts, reason, Duration.ZERO, attempt);
    }
    Duration delay = retry.backoff().delay(attempts, random);
    return new ParkedFailure(ParkedState.RETRYING, true, attempts, reason, delay, attempt);
  }

  /**
   * Returns how a message is parked that was not tried, or whose attempt does not count.
   *
   * @param reason what happened; null to leave the reason of its last attempt
   */
  public static ParkedFailure postponed(int attempts, @Nullable String reason, Duration delay) {
    return new ParkedFailure(ParkedState.RETRYING, true, attempts, reason, delay);
  }
}
