// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

/** How many deliveries a broker may hand to a consumer before they are acknowledged. */
public enum Window {
  /** As many as the receiver's settings say. */
  FULL,
  /**
   * One, where the broker can be told so: then whatever happens at a delivery, and the broker's own
   * limit of deliveries, falls on that one alone.
   */
  ONE
}
