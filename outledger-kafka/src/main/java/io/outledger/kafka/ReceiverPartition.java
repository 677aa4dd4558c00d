// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

/**
 * How one partition fares. After a failure it is handed on one record at a time, so that what is
 * good before a bad record takes effect and the bad one is found; then in growing batches again.
 * Used by the receiver's thread alone.
 */
final class ReceiverPartition {

  private static final int BATCH_MAX = 1 << 20;

  private int batchMax = BATCH_MAX;
  private int failures;
  private boolean held;
  private long heldUntil;

  /** Returns how many records may be handed on at once. */
  int batchMax() {
    return batchMax;
  }

  /** Notes that a batch took effect. */
  void succeeded() {
    failures = 0;
    batchMax = Math.min(BATCH_MAX, 2 * batchMax);
  }

  /** Notes a failure, and returns how many there were in a row. */
  int failed() {
    batchMax = 1;
    return ++failures;
  }

  /** Holds the partition until a time of the monotonic clock. */
  void hold(long until) {
    held = true;
    heldUntil = until;
  }

  boolean isHeld() {
    return held;
  }

  /** Says whether it is held and its time has come. */
  boolean isDue(long now) {
    return held && now - heldUntil >= 0;
  }

  /** Holds it no longer. */
  void release() {
    held = false;
  }

  /** Returns how many failures there were in a row. */
  int failures() {
    return failures;
  }
}
