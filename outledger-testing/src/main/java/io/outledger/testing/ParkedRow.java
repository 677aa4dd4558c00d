// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.store.ParkedMessage;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A parked message as it stands in the in-memory ledger, for a test to look at.
 *
 * @param message the message, its position, route, state and attempts
 * @param error what happened last; null where it is merely held
 * @param nextAttemptAt when it is tried again, by the ledger's clock; null unless retrying
 * @param request what an operator has asked for
 * @param emptied how often the ledger was emptied, and the subscription moved, since it was parked
 */
public record ParkedRow(
    ParkedMessage message,
    @Nullable String error,
    @Nullable Instant nextAttemptAt,
    Request request,
    int emptied) {

  /** What an operator has asked the owner of the subscription to do with a parked message. */
  public enum Request {
    /** Nothing. */
    NONE,
    /** To try it again, whatever its time. */
    RETRY,
    /** To remove it unpublished. */
    DISCARD
  }

  boolean isDue(Instant now) {
    return request == Request.RETRY || (nextAttemptAt != null && !now.isBefore(nextAttemptAt));
  }

  /** Returns since when a row that is due waits; what was asked for comes before all. */
  Instant since() {
    return request == Request.RETRY || nextAttemptAt == null ? Instant.MIN : nextAttemptAt;
  }

  ParkedRow requested(Request asked) {
    return new ParkedRow(message, error, nextAttemptAt, asked, emptied);
  }

  ParkedRow emptiedOnceMore() {
    return new ParkedRow(message, error, nextAttemptAt, request, emptied + 1);
  }
}
