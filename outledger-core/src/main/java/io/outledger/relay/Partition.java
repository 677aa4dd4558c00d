// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.store.LedgerMessage;
import io.outledger.store.RelayStore;

/**
 * What a relay reads: a share of a subscription's keys, with its own cursor, lease and frontier
 * over the whole ledger. It publishes its own keys' messages, and settles those of others at once.
 *
 * @param store the partition's store, which the relay closes
 * @param slots how many partitions the subscription has
 * @param slot which of them this is, 0 or more and less than the count
 * @param sharing says whether this process is to have it
 */
public record Partition(RelayStore store, Slots slots, int slot, Sharing sharing) {

  /**
   * Checks what is given.
   *
   * @throws ConfigurationException {@code OUT-021} if something is null, or there is no such slot
   */
  public Partition {
    Require.nonNull("store", store);
    Require.nonNull("slots", slots);
    Require.nonNull("sharing", sharing);
    if (slot < 0 || slot >= slots.count()) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "the slot is " + slot + " but must be 0 to " + (slots.count() - 1));
    }
  }

  /**
   * Returns the only partition of a subscription.
   *
   * @throws ConfigurationException {@code OUT-021} if the store is null
   */
  public static Partition whole(RelayStore store) {
    return new Partition(store, new Slots(1), 0, Sharing.NONE);
  }

  /** Returns whether the subscription is divided. */
  boolean isDivided() {
    return slots.count() > 1;
  }

  /** Returns whether a message is of this partition, by its key as it stands in the ledger. */
  boolean has(LedgerMessage message) {
    return slots.of(message.message()) == slot;
  }
}
