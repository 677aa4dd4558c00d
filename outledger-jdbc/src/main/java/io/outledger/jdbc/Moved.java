// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

/**
 * What moving a subscription has done. Where {@code to} is less than {@code from}, it is a replay:
 * what stands between is published again. Where it is more, what stands between is skipped.
 *
 * @param from the highest position that it had seen before
 * @param to the highest position that it takes for settled now
 */
public record Moved(long from, long to) {

  /** Returns whether messages that were published may be published again. */
  public boolean isReplay() {
    return to < from;
  }
}
