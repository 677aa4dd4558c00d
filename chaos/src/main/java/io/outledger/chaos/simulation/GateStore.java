// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.frontier.Positions;
import io.outledger.frontier.Snapshot;
import io.outledger.jdbc.sql.Gate;
import io.outledger.store.Page;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import io.outledger.store.Save;
import io.outledger.store.SaveOutcome;
import java.util.Set;

/**
 * What a relay learns of writers from a database that tells nothing of them, as InnoDB: each writer
 * holds a slot of a gate from before it draws a number until its transaction ends or is prepared.
 * The rounds are the product's own.
 */
final class GateStore {

  private final World world;
  private final RelayProcess process;
  private final RelayStore store;
  private final Gate gate = new Gate();

  GateStore(World world, RelayProcess process, RelayStore store) {
    this.world = world;
    this.process = process;
    this.store = store;
  }

  /** Looks at the gate, and then for rows that are locked, and then polls. Others move between. */
  Page poll(PollRequest request) {
    if (gate.wantsLook()) {
      gate.looked(free());
      process.othersMove("between look and probe");
      Positions probed = gate.toProbe(request.open());
      if (world.writers().hasPreparedAt(probed)) {
        world.note(Happening.PREPARED_FOUND_BY_PROBE);
      } else {
        gate.probed();
      }
      process.othersMove("between probe and poll");
    }
    Snapshot known = gate.snapshot();
    Page page = store.poll(request);
    return new Page(
        page.messages(),
        page.readTo(),
        page.withheld(),
        page.more(),
        known,
        page.newest(),
        page.declared(),
        page.paused(),
        page.server());
  }

  /** Two slots are left to the writers of this second and of the next. */
  private int free() {
    int second = world.gate().between(0, Gate.SLOTS - 1);
    int free = (1 << Gate.SLOTS) - 1;
    free &= ~(1 << second) & ~(1 << (second + 1) % Gate.SLOTS);
    Set<Long> prepared = world.writers().prepared();
    for (long writer : store.writers()) {
      if (!prepared.contains(writer)) {
        free &= ~(1 << (int) (writer % Gate.SLOTS));
      }
    }
    return free;
  }

  /** Returns the outcome of a save, with the gate's witness. */
  SaveOutcome saved(Save save, SaveOutcome.Saved outcome) {
    return new SaveOutcome.Saved(gate.saved(save.frontier().high()), outcome.server());
  }

  Set<Long> writers() {
    return gate.numbers();
  }
}
