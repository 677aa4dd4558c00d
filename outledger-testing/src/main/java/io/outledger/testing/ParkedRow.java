// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.Message;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A parked message as it stands in the in-memory ledger, for a test to look at.
 *
 * @param message the message, its position, route, state and attempts
 * @param error what happened last; null where it is merely held
 * @param nextAttemptAt when it is tried again, by the ledger's clock; null unless retrying, and
 *     where it waits for the end of a pause
 * @param request what an operator has asked for
 * @param attempts the attempts that have failed: the first and the last of them
 */
public record ParkedRow(
    ParkedMessage message,
    @Nullable String error,
    @Nullable Instant nextAttemptAt,
    Request request,
    List<ParkedAttempt> attempts) {

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

  /** Returns whether it waits for the end of a pause. */
  boolean isUntilResumed() {
    return message.state() == ParkedState.RETRYING && nextAttemptAt == null;
  }

  ParkedRow dueAt(Instant time) {
    return new ParkedRow(message, error, time, request, attempts);
  }

  ParkedRow requested(Request asked) {
    return new ParkedRow(message, error, nextAttemptAt, asked, attempts);
  }

  /** Returns the copy that a replay makes of a message: due at once, and it blocks no key. */
  static ParkedRow copy(long position, String route, Message message, Instant now) {
    ParkedMessage row =
        new ParkedMessage(
            position, route, message, ParkedState.RETRYING, 0, false, null, false, 0, now);
    return new ParkedRow(row, null, now, Request.NONE, List.of());
  }

  /** Returns what is left of it for its owner to discard: nothing of what it said. */
  ParkedRow withdrawn() {
    ParkedMessage without =
        new ParkedMessage(
            message.position(),
            message.route(),
            RowMarks.emptied(message.message()),
            message.state(),
            message.attempts(),
            message.blocks(),
            null,
            true,
            message.emptied(),
            message.parkedAt());
    return new ParkedRow(without, null, nextAttemptAt, Request.DISCARD, List.of());
  }

  ParkedRow emptiedOnceMore() {
    ParkedMessage earlier =
        new ParkedMessage(
            message.position(),
            message.route(),
            message.message(),
            message.state(),
            message.attempts(),
            message.blocks(),
            message.unreadable(),
            message.withdrawn(),
            message.emptied() + 1,
            message.parkedAt());
    return new ParkedRow(earlier, error, nextAttemptAt, request, attempts);
  }
}
