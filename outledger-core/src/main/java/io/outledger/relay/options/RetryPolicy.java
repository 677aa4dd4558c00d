// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.options;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import java.time.Duration;

/**
 * A relay's treatment of a message that its destination rejects.
 *
 * @param attemptsMax the number of failed attempts after which the message becomes a dead letter; 1
 *     or more
 * @param backoff the wait between attempts
 * @param deadLetter what happens to later messages with the key of a dead letter
 */
public record RetryPolicy(int attemptsMax, Backoff backoff, DeadLetter deadLetter) {

  /** The treatment of later messages with the key of a dead letter. */
  public enum DeadLetter {
    /**
     * The relay publishes them without the dead letter. If an operator retries the dead letter
     * later, it is published after newer messages of its key.
     */
    KEY_GOES_ON,
    /** The relay holds them until an operator retries or discards the dead letter. */
    KEY_STAYS_BLOCKED
  }

  /** Ten attempts, 1 second to 5 minutes apart; a dead letter's key continues. */
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(
          10, new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5)), DeadLetter.KEY_GOES_ON);

  /**
   * Checks the number of attempts.
   *
   * @throws ConfigurationException {@code OUT-021} if there would be none
   */
  public RetryPolicy {
    Require.nonNull("backoff", backoff);
    Require.nonNull("deadLetter", deadLetter);
    if (attemptsMax < 1) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "retry.attemptsMax is " + attemptsMax + " but must be 1 or more");
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

  /** Returns this policy with another rule for later messages with the key of a dead letter. */
  public RetryPolicy withDeadLetter(DeadLetter value) {
    return new RetryPolicy(attemptsMax, backoff, value);
  }

  /**
   * Returns the longest time from the first attempt to the last: an inbox that receives these
   * messages must keep ids for longer than that.
   */
  public Duration span() {
    Duration sum = Duration.ZERO;
    int failures = 1;
    while (failures < attemptsMax && backoff.bound(failures).compareTo(backoff.max()) < 0) {
      sum = sum.plus(backoff.bound(failures++));
    }
    return sum.plus(backoff.max().multipliedBy(attemptsMax - failures));
  }
}
