// SPDX-License-Identifier: Apache-2.0
package io.outledger.saga;

/** What a message has done with a saga. */
public enum SagaOutcome {
  /** It has started the saga. */
  STARTED,
  /** It has moved the saga. */
  MOVED,
  /** It has ended the saga, whose row is gone. */
  ENDED,
  /** There was no saga: it has ended, or has not started. */
  MISSING,
  /** There was no saga, and what the definition has for that has handled it. */
  MISSING_HANDLED,
  /** It was a time-out that the saga did not wait for, any more or ever. */
  LATE,
  /** It was a time-out of another saga. */
  NOT_CONCERNED
}
