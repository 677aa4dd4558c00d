// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.relay.Slots;

/**
 * That a subscription is being divided into another number of partitions: the old ones are read up
 * to a common position and no further, settled, and left to the new ones.
 *
 * @param partitions how many there are to be, 1 to {@value Slots#MAX}
 * @param upTo the position, 0 or more
 */
public record Division(int partitions, long upTo) {

  /**
   * Checks what is given.
   *
   * @throws ConfigurationException {@code OUT-021} if it is not within its bounds
   */
  public Division {
    if (partitions < 1 || partitions > Slots.MAX || upTo < 0) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "a division into " + partitions + " partitions at position " + upTo + " is not possible");
    }
  }

  /** Returns how the table stores it. */
  public String stored() {
    return partitions + " " + upTo;
  }

  /**
   * Reads what the table stores.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Division of(String stored) {
    String[] parts = Require.nonNull("stored", stored).split(" ", -1);
    if (parts.length != 2) {
      throw new IllegalArgumentException("no division is stored as " + stored);
    }
    return new Division(Integer.parseInt(parts[0]), Long.parseLong(parts[1]));
  }
}
