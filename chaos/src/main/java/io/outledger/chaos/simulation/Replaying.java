// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.store.LedgerMessage;
import io.outledger.testing.ParkedRow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A person who has settled messages of a route published once more, beside what is new. */
record Replaying(World world, SimulatedSubscription subscription, Choices choices) {

  private static final int POSITIONS_MAX = 20;

  void act() {
    long lowest = subscription.inLedger().frontier().lowest();
    List<LedgerMessage> settled =
        world.ledger().messages().stream()
            .filter(m -> m.position() < lowest && m.position() > subscription.startedAfter())
            .toList();
    if (settled.isEmpty()) {
      return;
    }
    SimulatedRoute route = choices.pick(subscription.routes());
    long first = choices.pick(settled).position();
    long last = first + choices.between(0, POSITIONS_MAX);
    world.tell("operator", () -> "replays " + first + " to " + last + " of " + route);
    List<ParkedRow> made = new ArrayList<>(take(route, first, last));
    made.removeIf(row -> !isWanted(row));
    if (made.isEmpty()) {
      return;
    }
    world.note(Happening.MESSAGES_REPLAYED);
    subscription.accountsAnew(route, made);
    plant(made);
    route.replays(made);
  }

  /** Returns what a replay has parked: what was parked before, or was erased, it leaves out. */
  private List<ParkedRow> take(SimulatedRoute route, long first, long last) {
    Set<Long> before = new HashSet<>();
    route.parked().forEach(row -> before.add(row.message().position()));
    subscription.inLedger().replay(route.name(), first, last);
    return route.parked().stream()
        .filter(row -> !before.contains(row.message().position()))
        .toList();
  }

  /** What the subscription does not want is taken up as well, and passed over by its owner. */
  private boolean isWanted(ParkedRow row) {
    return subscription.wants(row.message().message().id(), row.message().message().topic());
  }

  private void plant(List<ParkedRow> made) {
    if (world.planted() == Planted.COPY_IS_LOST) {
      subscription.inLedger().withdraw(made.get(0).message().position());
    } else if (world.planted() == Planted.COPY_TOO_MANY) {
      made.remove(0);
    }
  }
}
