// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The table in which relays say what they are doing, for people. Thread-safe. */
public interface StatusStore {

  /**
   * Writes what instances have been doing, in one short transaction. An instance that simply ended,
   * which is stopped without a reason, is removed; and of each subscription only the 100 instances
   * that changed last are kept, since nobody else says of one that crashed that it is gone.
   *
   * @param entries one for each instance of a subscription
   * @throws io.outledger.StoreException if the database failed; nothing was written
   */
  void write(List<Entry> entries);

  /**
   * Returns since when the instances of a cursor have been doing what they do.
   *
   * @return by their names, and by the database's clock; at most as many as are kept
   * @throws io.outledger.StoreException if the database failed
   */
  Map<String, Instant> seen(CursorKey key);

  /**
   * The activity of one relay.
   *
   * @param key the subscription's cursor
   * @param instance the relay's name
   * @param status what it is doing
   * @param age for how long it has been doing that
   */
  record Entry(CursorKey key, String instance, RelayStatus status, Duration age) {

    /**
     * Checks what is given.
     *
     * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
     */
    public Entry {
      Require.nonNull("key", key);
      Require.nonNull("instance", instance);
      Require.nonNull("status", status);
      Require.nonNull("age", age);
    }
  }
}
