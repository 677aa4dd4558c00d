// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

/** Why a message stands beside the main flow. */
public enum ParkedState {
  /** Its publish failed; it is tried again at its time. */
  RETRYING,
  /** It waits behind a parked message of its key. */
  HELD,
  /** It has used up its attempts, or can never succeed: a dead letter. */
  DEAD
}
