// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;

/** What an attempt to divide a subscription into another number of partitions has come to. */
public sealed interface DivisionStep {

  /**
   * It is divided.
   *
   * @param before how many partitions it had
   * @param at the position at which all new ones stand
   * @param moved how many parked messages have another partition now
   */
  record Done(int before, long at, long moved) implements DivisionStep {}

  /**
   * Nothing has changed, since it is too early.
   *
   * @param before how many partitions it has
   * @param upTo the highest position that any of them has been read to: up to it, and no further,
   *     the others are to be read
   * @param ready how many of them have been, and have no owner
   * @param why what it waits for, for people
   */
  record Waits(int before, long upTo, int ready, String why) implements DivisionStep {

    /**
     * Checks what is given.
     *
     * @throws io.outledger.ConfigurationException {@code OUT-021} if the text is null
     */
    public Waits {
      Require.nonNull("why", why);
    }
  }
}
