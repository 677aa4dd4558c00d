// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.inbox.Received;
import io.outledger.receive.ParkedReceived;
import io.outledger.store.ParkedFailure;
import io.outledger.store.ParkedState;
import org.jspecify.annotations.Nullable;

/**
 * A parked message of an {@link InMemoryReceiverStore}.
 *
 * @param number its number, from 1, in the order of parking
 * @param message the message
 * @param state why it is parked
 * @param blocks whether later messages of its key wait for it
 * @param attempts how many attempts have failed
 * @param reason the last failure; null where there was none
 * @param dueAt the store's monotonic time at which it may be tried
 * @param request what an operator has asked for
 */
public record ParkedReceivedRow(
    long number,
    Received message,
    ParkedState state,
    boolean blocks,
    int attempts,
    @Nullable String reason,
    long dueAt,
    Request request) {

  /** What an operator may ask for. */
  public enum Request {
    /** Nothing. */
    NONE,
    /** Another attempt. */
    RETRY,
    /** Its end. */
    DISCARD
  }

  static ParkedReceivedRow of(long number, Received message, ParkedFailure failure, long now) {
    return new ParkedReceivedRow(
        number,
        message,
        failure.state(),
        failure.blocks() && message.key() != null,
        failure.attempts(),
        failure.reason(),
        now + failure.delay().toNanos(),
        Request.NONE);
  }

  /** The attempt answers a request to retry. */
  ParkedReceivedRow failed(ParkedFailure failure, long now) {
    return new ParkedReceivedRow(
        number,
        message,
        failure.state(),
        failure.blocks() && message.key() != null,
        failure.attempts(),
        failure.reason() == null ? reason : failure.reason(),
        now + failure.delay().toNanos(),
        request == Request.DISCARD ? Request.DISCARD : Request.NONE);
  }

  ParkedReceivedRow requested(Request asked) {
    return new ParkedReceivedRow(number, message, state, blocks, attempts, reason, dueAt, asked);
  }

  /** Makes it due, and block its key. */
  ParkedReceivedRow allowed(long now) {
    boolean hasKey = message.key() != null;
    return new ParkedReceivedRow(
        number, message, ParkedState.RETRYING, hasKey, attempts, reason, now, Request.NONE);
  }

  boolean isDead() {
    return state == ParkedState.DEAD;
  }

  boolean isHeld() {
    return state == ParkedState.HELD;
  }

  boolean isDue(long now) {
    return !isDead() && dueAt - now <= 0;
  }

  boolean isOfKey(@Nullable String key, String keySpace) {
    return key != null && key.equals(message.key()) && keySpace.equals(message.keySpace());
  }

  ParkedReceived light() {
    return new ParkedReceived(
        number,
        message.inboxId(),
        message.key(),
        message.keySpace(),
        message.topic(),
        message.type(),
        attempts);
  }
}
