// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RelaySubscription;
import io.outledger.jdbc.spi.RelaySubscription.Shares;
import io.outledger.relay.Slots;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.Set;
import java.util.function.Function;

/** The parts that all relays of one {@link Outledger} share. */
record RelayParts(
    Function<RelaySubscription, RelayStore> stores,
    OpenRelays open,
    StatusBoard statuses,
    OpenState openState,
    TimeSource time,
    Runnable startInBackground,
    boolean hasOwnDataSource,
    Sagas sagas) {

  RelayStore store(CursorKey key, Start start, Duration lease, Slots slots) {
    int slot = Math.max(0, key.partition() - 1);
    Shares shares = new Shares(slots, Set.of(slot));
    return stores.apply(new RelaySubscription(key, start, lease, statuses.instance(), shares));
  }
}
