// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

/** What may go wrong at a call of a relay. */
enum Mishap {
  /** The process is gone before the call is made. */
  HALTED_BEFORE,
  /** The process is gone before the call's reply is seen. */
  HALTED_AFTER,
  /** The call fails, and has no effect. */
  FAILS,
  /** The call has its effect, and its reply is lost. */
  REPLY_LOST,
  /** The process is paused before the call, long enough for a successor, and does not know it. */
  STALLED_BEFORE,
  /** The process is paused as long after the call, and does not know it. */
  STALLED_AFTER,
  /** The process is paused as long after the call, and its clock tells. */
  SLEPT_AFTER;

  boolean isBefore() {
    return this == HALTED_BEFORE || this == FAILS || this == STALLED_BEFORE;
  }

  boolean isHalt() {
    return this == HALTED_BEFORE || this == HALTED_AFTER;
  }

  boolean isStall() {
    return this == STALLED_BEFORE || this == STALLED_AFTER || this == SLEPT_AFTER;
  }
}
