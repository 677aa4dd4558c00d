// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.BreakerPolicy;
import io.outledger.relay.options.RetryPolicy;
import java.time.Duration;

/**
 * How a receiver processes messages, and treats what fails.
 *
 * @param retry attempts and back-off of a parked message, and what becomes of a dead letter's key
 * @param breaker when failures are taken for a broken handler, so that receiving pauses and nothing
 *     is parked
 * @param backoff how long a stream is paused after a failure that is not parked
 * @param parkedMax the most messages that the consumer may have parked, dead letters included; 1 or
 *     more. Beyond it, streams with a message that would have to be parked are paused
 * @param parks whether failed messages are parked, where the handler has a database to do it; if
 *     not, each holds its stream, and what was parked before is still retried
 * @param requiresRetention whether a receiver ends with {@code OUT-018}, instead of warning, where
 *     the inbox forgets a message sooner than the broker may deliver it again
 * @param perMessage whether each message has a transaction of its own; if not, a batch is one
 *     transaction, and its messages have one each only where that fails
 */
public record ReceiverOptions(
    RetryPolicy retry,
    BreakerPolicy breaker,
    Backoff backoff,
    int parkedMax,
    boolean parks,
    boolean requiresRetention,
    boolean perMessage) {

  /** The defaults: those of a relay; a pause of up to 0.2 to 30 s; 10,000 parked messages. */
  public static final ReceiverOptions DEFAULT =
      new ReceiverOptions(
          RetryPolicy.DEFAULT,
          BreakerPolicy.DEFAULT,
          new Backoff(Duration.ofMillis(200), Duration.ofSeconds(30)),
          10_000,
          true,
          false,
          false);

  /**
   * Checks the options.
   *
   * @throws ConfigurationException {@code OUT-021} if one is null or below its bound
   */
  public ReceiverOptions {
    Require.nonNull("retry", retry);
    Require.nonNull("breaker", breaker);
    Require.nonNull("backoff", backoff);
    if (parkedMax < 1) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION, "parkedMax is " + parkedMax + " but must be 1 or more");
    }
  }

  /** Returns these options with another retry policy. */
  public ReceiverOptions withRetry(RetryPolicy value) {
    return new ReceiverOptions(
        value, breaker, backoff, parkedMax, parks, requiresRetention, perMessage);
  }

  /** Returns these options with another breaker policy. */
  public ReceiverOptions withBreaker(BreakerPolicy value) {
    return new ReceiverOptions(
        retry, value, backoff, parkedMax, parks, requiresRetention, perMessage);
  }

  /** Returns these options with another pause after a failure that is not parked. */
  public ReceiverOptions withBackoff(Backoff value) {
    return new ReceiverOptions(
        retry, breaker, value, parkedMax, parks, requiresRetention, perMessage);
  }

  /** Returns these options with another bound on parked messages. */
  public ReceiverOptions withParkedMax(int value) {
    return new ReceiverOptions(
        retry, breaker, backoff, value, parks, requiresRetention, perMessage);
  }

  /**
   * Returns these options with no failed message parked: it holds its stream until it succeeds.
   * What the consumer has parked already is still retried, by the retry policy, and later messages
   * of its keys are held behind it until then.
   */
  public ReceiverOptions withoutParking() {
    return new ReceiverOptions(
        retry, breaker, backoff, parkedMax, false, requiresRetention, perMessage);
  }

  /**
   * Returns these options with an error in the place of a warning: a receiver ends with {@code
   * OUT-018} before it handles anything, if the inbox forgets a message sooner than the broker may
   * deliver it again. Where the broker does not say how long that is, the receiver goes on.
   */
  public ReceiverOptions withRetentionRequired() {
    return new ReceiverOptions(retry, breaker, backoff, parkedMax, parks, true, perMessage);
  }

  /**
   * Returns these options with a transaction for each message. One statement finds out which
   * messages of a batch are new; each of these is then remembered and handled in a transaction of
   * its own. So a failure never undoes the work of other messages, and locks are held for less
   * time. By default a batch is one transaction, which is faster; if it fails, nothing of it has
   * taken effect, and the handler is called again for each of its messages, in a transaction of its
   * own.
   */
  public ReceiverOptions withTransactionPerMessage() {
    return new ReceiverOptions(retry, breaker, backoff, parkedMax, parks, requiresRetention, true);
  }
}
