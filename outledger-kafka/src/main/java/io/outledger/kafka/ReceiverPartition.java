// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

/** Whether one partition is held. Used by the receiver's thread alone. */
final class ReceiverPartition {

  private boolean held;
  private long heldUntil;

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
}
