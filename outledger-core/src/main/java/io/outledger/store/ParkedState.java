// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

/** Why a message is parked. */
public enum ParkedState {
  /** Publishing failed; the relay tries again at the time of the next attempt. */
  RETRYING,
  /** It waits behind a parked message of its key. */
  HELD,
  /** It has used up its attempts, or can never succeed: a dead letter. */
  DEAD
}
