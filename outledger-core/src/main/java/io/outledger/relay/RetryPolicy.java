// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Given;
import java.time.Duration;

/**
 * What happens to a message that its destination rejects.
 *
 * @param attemptsMax after how many failed attempts it is a dead letter; 1 or more
 * @param backoff how long to wait between attempts
 * @param deadLetter what becomes of the later messages of a dead letter's key
 */
public record RetryPolicy(int attemptsMax, Backoff backoff, DeadLetter deadLetter) {

  /** What becomes of the later messages of a dead letter's key. */
  public enum DeadLetter {
    /**
     * They go on without it. Should an operator release the dead letter later, it comes after
     * messages that were appended after it.
     */
    KEY_GOES_ON,
    /** They are held until an operator has the dead letter published or discarded. */
    KEY_STAYS_BLOCKED
  }

  /** Ten attempts, 1 second to 5 minutes apart; a dead letter's key goes on. */
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(
          10, new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5)), DeadLetter.KEY_GOES_ON);

  /**
   * Checks the number of attempts.
   *
   * @throws ConfigurationException {@code OUT-021} where there would be none
   */
  public RetryPolicy {
    Given.check("back-off", backoff);
    Given.check("fate of a dead letter's key", deadLetter);
    if (attemptsMax < 1) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "attemptsMax is " + attemptsMax + " but must be 1 or more");
    }
  }

  /** Returns this policy with another number of attempts. */
  public RetryPolicy withAttemptsMax(int value) {
    return new RetryPolicy(value, backoff, deadLetter);
  }

  /** Returns this policy with another back-off. */
  public RetryPolicy withBackoff(Backoff value) {
    return new RetryPolicy(attemptsMax, value, deadLetter);
  }

  /** Returns this policy with another fate of a dead letter's key. */
  public RetryPolicy withDeadLetter(DeadLetter value) {
    return new RetryPolicy(attemptsMax, backoff, value);
  }

  /**
   * Returns the longest time from the first attempt to the last: an inbox behind this policy must
   * remember for longer than that.
   */
  public Duration span() {
    Duration sum = Duration.ZERO;
    for (int failures = 1; failures < attemptsMax; failures++) {
      sum = sum.plus(backoff.bound(failures));
    }
    return sum;
  }
}
