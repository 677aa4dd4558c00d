// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import java.util.IdentityHashMap;
import java.util.concurrent.Executor;

/** The threads of all handlers of a divided subscription, as its partitions share them. */
final class PartitionHandlers {

  private final IdentityHashMap<Executor, SharedThreads> byHandler = new IdentityHashMap<>();

  /** Returns what a partition may use of each handler's threads. Called before any starts. */
  HandlerRoutes.Part of(int partition) {
    return (all, count) ->
        byHandler.computeIfAbsent(all, any -> new SharedThreads(any, count)).of(partition);
  }

  /** Returns what hears from a partition's relay whether this process owns it. */
  RelayListener owner(int partition) {
    return event -> {
      if (event instanceof RelayEvent.LeaseTaken) {
        owns(partition, true);
      } else if (event instanceof RelayEvent.LeaseLost
          || event instanceof RelayEvent.LeaseReleased
          || event instanceof RelayEvent.Moved
          || event instanceof RelayEvent.Closed) {
        owns(partition, false);
      }
    };
  }

  private void owns(int partition, boolean isOwner) {
    byHandler.values().forEach(threads -> threads.owns(partition, isOwner));
  }
}
