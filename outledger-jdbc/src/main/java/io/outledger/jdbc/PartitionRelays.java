// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.jdbc.sharing.PartitionShare;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.relay.Partition;
import io.outledger.relay.Relay;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.Slots;
import io.outledger.relay.context.ReadAhead;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import io.outledger.relay.listener.RelayLog;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.Route;
import io.outledger.store.Start;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A process's relays of a divided subscription: one for each partition, which share the process's
 * share. Each is the relay of an undivided subscription, over a cursor of its own.
 *
 * @param slots how many partitions there are
 * @param start where the subscription starts when it is created
 * @param listener is asked for one that hears each, on its thread
 */
record PartitionRelays(
    String subscription, Slots slots, Start start, RelayOptions options, RelayListener listener) {

  /**
   * Starts them.
   *
   * @param routes those of a partition, by what it may use of the handlers' threads
   * @param declared declares what a relay has
   */
  RunningRelay start(
      RelayParts parts,
      Function<HandlerRoutes.Part, List<Route>> routes,
      Consumer<Relay> declared,
      Duration handOverMax) {
    PartitionShare share =
        new PartitionShare(
            CursorKey.of(subscription),
            slots.count(),
            options.lease(),
            new PartitionShare.Place(parts.statuses().store(), parts.statuses().ownName()),
            parts.time());
    ShareLooks looks = new ShareLooks(share, options.lease());
    PartitionHandlers shared = new PartitionHandlers();
    Map<String, Relay> relays = new LinkedHashMap<>();
    try {
      for (int slot = 0; slot < slots.count(); slot++) {
        CursorKey key = CursorKey.ofSlot(subscription, slots, slot);
        Partition partition =
            new Partition(
                parts.store(key, start, options.lease(), slots), slots, slot, share.of(slot));
        RelayListener ours =
            shared
                .owner(slot)
                .and(event -> ended(event, looks))
                .and(new RelayLog(key.toString(), parts.time()));
        relays.put(key.toString(), relay(parts, partition, ours, routes.apply(shared.of(slot))));
      }
      declared.accept(relays.values().iterator().next());
      RunningRelay running = RunningRelay.startAll(relays, parts.time(), handOverMax);
      looks.start();
      return running;
    } catch (Throwable e) {
      looks.close();
      relays.values().forEach(Relay::close);
      throw e;
    }
  }

  private Relay relay(
      RelayParts parts, Partition partition, RelayListener ours, List<Route> routes) {
    CursorKey key = CursorKey.ofSlot(subscription, slots, partition.slot());
    return new Relay(
        partition,
        routes,
        options,
        parts
            .statuses()
            .listener(key)
            .and(ours)
            // last: what it throws keeps nobody else from hearing
            .and(listener.ofPartition(key.partition())),
        new Relay.Surroundings(
            parts.time(), new SecureRandom(), ReadAhead.onThread("outledger-reader-" + key)));
  }

  /** The first that ends tells that all do. */
  private static void ended(RelayEvent event, ShareLooks looks) {
    if (event instanceof RelayEvent.Closed) {
      looks.close();
    }
  }
}
