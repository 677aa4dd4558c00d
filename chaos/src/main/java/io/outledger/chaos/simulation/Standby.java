// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.chaos.history.Entry;
import io.outledger.frontier.Frontier;
import io.outledger.store.LedgerMessage;
import io.outledger.testing.LedgerBackup;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A standby that lags behind. When it is promoted, what it had not received is gone: messages,
 * saves of the cursor and effects, whose numbers are drawn again.
 */
final class Standby {

  private final World world;
  private @Nullable Received received;

  /** All that the database holds. */
  private record Received(
      LedgerBackup ledger,
      Map<String, Long> counters,
      List<LedgerMessage> removed,
      List<ConsumerProcess.Memory> consumers) {}

  Standby(World world) {
    this.world = world;
  }

  /** Starts from scratch, and so cannot be promoted for now. */
  void forget() {
    received = null;
  }

  /** Receives all there is, unless a transaction of ours is in the middle of a commit. */
  void catchUp() {
    if (!world.isConsumerOnStack()) {
      received =
          new Received(
              world.ledger().backup(),
              world.writers().counters(),
              List.copyOf(world.retention().removed()),
              world.routes().stream().map(route -> route.consumer().memory()).toList());
      world.tell("standby", () -> "has caught up");
    }
  }

  /** Takes the place of the server, and has only what it had received. */
  void promote() {
    Received known = received;
    if (known == null || world.isConsumerOnStack()) {
      return;
    }
    world.note(Happening.TAIL_LOST);
    world.tell("standby", () -> "is promoted, and has only what it had received");
    world.writers().serverRestarts();
    Set<UUID> before = stored();
    world.routes().forEach(SimulatedRoute::excuseDeadLetters);
    world.routes().forEach(route -> route.copies().expectNone());
    world.ledger().restore(known.ledger());
    world.writers().restore(known.counters());
    world.retention().restore(known.removed());
    for (int i = 0; i < known.consumers().size(); i++) {
      world.routes().get(i).consumer().restore(known.consumers().get(i));
    }
    received = null;
    before.removeAll(stored());
    world.routes().forEach(route -> account(route, before));
    world.restored(before);
  }

  private Set<UUID> stored() {
    Set<UUID> ids = world.retention().removedIds();
    world.ledger().messages().forEach(one -> ids.add(one.message().id()));
    return ids;
  }

  /** What was sent since, and what the saved frontier does not know of, is sent again. */
  private void account(SimulatedRoute route, Set<UUID> forgotten) {
    forgotten.forEach(id -> route.journal().write(new Entry.Forgotten(id)));
    SimulatedSubscription subscription = route.subscription();
    Frontier frontier = subscription.inLedger().frontier();
    Set<Long> parked = new HashSet<>();
    route.parked().forEach(row -> parked.add(row.message().position()));
    List<LedgerMessage> all = new ArrayList<>(world.ledger().messages());
    all.addAll(world.retention().removed());
    List<UUID> inFlight =
        all.stream()
            .filter(m -> !frontier.isSettled(m.position()) || parked.contains(m.position()))
            .map(m -> m.message().id())
            .filter(route::wasSent)
            .toList();
    route.mayRepeat("tail lost", inFlight);
    // Whoever had it may have given it back since, of which nobody knows any more.
    subscription.leaseLost(subscription.inLedger().newest().incarnation());
  }
}
