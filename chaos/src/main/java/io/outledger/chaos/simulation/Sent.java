// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.Message;
import io.outledger.publish.Outcome;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A message that was handed to a model client, on its way to the broker and back. */
final class Sent {

  final long position;
  final Message message;
  final long handedAt;

  /**
   * What the broker will answer, decided when it is handed over, so that what a dead process left
   * in the network meets the same fate as it would have then.
   */
  final Outcome answer;

  /** The time before which there is no answer. */
  final long answeredFrom;

  /** Whether the broker has it, or has rejected it, and the answer is on its way back. */
  boolean isAnswered;

  /** Whether the relay may still hand over followers, not knowing that this one was rejected. */
  boolean isRejectionUnknown;

  Sent(long position, Message message, long handedAt, Outcome answer, Duration time) {
    this.position = position;
    this.message = message;
    this.handedAt = handedAt;
    this.answer = answer;
    this.answeredFrom = handedAt + time.toNanos();
    this.isRejectionUnknown = !isAccepted();
  }

  UUID id() {
    return message.id();
  }

  boolean isAccepted() {
    return answer instanceof Outcome.Published;
  }

  boolean hasKey(@Nullable String key) {
    return key != null && key.equals(message.key());
  }
}
