// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import io.outledger.relay.Slots;
import io.outledger.store.Start;
import java.time.Duration;

/**
 * A subscription as a relay was configured with it.
 *
 * @param key its name and partition
 * @param start where it starts when it is made
 * @param lease how long its owner's lease is: what waits for longer is given up
 * @param instance the name of the instance, for people who read what it has declared
 * @param slots into how many partitions its keys are divided
 */
public record RelaySubscription(
    CursorKey key, Start start, Duration lease, String instance, Slots slots) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public RelaySubscription {
    Require.nonNull("key", key);
    Require.nonNull("start", start);
    Require.nonNull("lease", lease);
    Require.nonNull("instance", instance);
    Require.nonNull("slots", slots);
  }

  /** Returns of whom its relays declare something. */
  public DeclarationTable.Reader reader() {
    return DeclarationTable.Reader.subscription(key.subscription(), instance);
  }

  /** Returns whether it is divided into partitions. */
  public boolean isDivided() {
    return slots.count() > 1;
  }

  /** Makes one that is not divided. */
  public RelaySubscription(CursorKey key, Start start, Duration lease, String instance) {
    this(key, start, lease, instance, new Slots(1));
  }

  /** Makes one of an instance without a name. */
  public RelaySubscription(CursorKey key, Start start, Duration lease) {
    this(key, start, lease, "");
  }
}
