// SPDX-License-Identifier: Apache-2.0
package io.outledger.publish;

/** How a publisher keeps messages of one key in order. */
public enum KeyOrder {
  /** The relay hands over a message only when its predecessor of the same key is settled. */
  ONE_AT_A_TIME,
  /**
   * The relay hands over many messages of a key at once, in order, and the client keeps that order
   * among them, except that a message rejected after later ones were sent comes after those.
   */
  PIPELINED
}
