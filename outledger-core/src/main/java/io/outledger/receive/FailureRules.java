// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.relay.options.RetryPolicy;
import io.outledger.store.ParkedState;
import java.time.Duration;

/** Decides how a message is parked after a failed attempt. Thread-safe. */
final class FailureRules {

  private final ReceiverContext context;

  FailureRules(ReceiverContext context) {
    this.context = context;
  }

  /** Returns the state in which a message is to be parked. */
  ParkedFailure of(ParkedReceived message, Failure failure, String reason) {
    RetryPolicy retry = context.options().retry();
    int attempts = message.attempts() + 1;
    if (failure == Failure.FINAL || attempts >= retry.attemptsMax()) {
      boolean blocks = retry.deadLetter() == RetryPolicy.DeadLetter.KEY_STAYS_BLOCKED;
      return new ParkedFailure(ParkedState.DEAD, blocks, attempts, reason, Duration.ZERO);
    }
    Duration delay = retry.backoff().delay(attempts, context.random());
    return new ParkedFailure(ParkedState.RETRYING, true, attempts, reason, delay);
  }

  /** Tells that a message was parked. */
  void tell(ParkedReceived message, ParkedFailure failure) {
    String reason = String.valueOf(failure.reason());
    context.tell(
        failure.state() == ParkedState.DEAD
            ? new ReceiverEvent.Died(message, failure.attempts(), reason)
            : new ReceiverEvent.Parked(message, failure.attempts(), reason, failure.delay()));
  }
}
