// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.chaos.history.Entry;
import io.outledger.relay.RetryPolicy.DeadLetter;
import io.outledger.store.ParkedState;
import io.outledger.testing.ParkedRow;
import java.time.Duration;
import java.util.List;

/** What happens to the world at large: servers, clocks, processes, and operators. */
final class Troubles {

  private final World world;

  Troubles(World world) {
    this.world = world;
  }

  /** Taken once in a hundred turns, and so each chance is a hundred times its plan's. */
  void act() {
    Choices choices = world.choices();
    Plan plan = world.plan();
    if (choices.chance(plan.serverSwitched * 50)) {
      switchServer();
    } else if (choices.chance(plan.tailLost * 50)) {
      failOver();
    } else if (choices.chance(0.1)) {
      world.standby().catchUp();
    } else if (choices.chance(plan.brokerTurns * 50)) {
      world.broker().turn();
    } else if (choices.chance(plan.clockJumps * 50)) {
      Duration jump = Duration.ofSeconds(choices.between(-3600, 3600));
      world.journal().tell(() -> "the database's clock jumps by " + jump);
      world.time().databaseJumps(jump);
    } else if (choices.chance(plan.stopped * 50)) {
      choices.pick(world.relays()).stop();
    } else if (choices.chance(plan.crash * 20)) {
      choices.pick(world.relays()).die("from outside");
    } else if (choices.chance(0.2)) {
      operate();
    }
  }

  /** What the standby lacks is much or little: at times not even one save of the cursor. */
  private void failOver() {
    if (world.choices().chance(0.7)) {
      world.standby().catchUp();
      world.turns(world.choices().between(1, 30));
    }
    world.standby().promote();
  }

  private void switchServer() {
    if (world.choices().chance(0.5)) {
      world.journal().tell(() -> "the server restarts");
      world.writers().serverRestarts();
      world.ledger().faults().restartServer();
    } else {
      world.journal().tell(() -> "a standby is promoted");
      world.writers().serverRestarts();
      world.ledger().faults().failOver();
    }
  }

  private void operate() {
    if (world.owner() == null) {
      return;
    }
    List<ParkedRow> dead =
        world.subscription().parked().stream()
            .filter(row -> row.message().state() == ParkedState.DEAD)
            .toList();
    if (dead.isEmpty()) {
      return;
    }
    ParkedRow row = world.choices().pick(dead);
    if (world.choices().chance(0.6)) {
      release(row);
    } else {
      discard(row);
    }
  }

  private void release(ParkedRow row) {
    if (world.plan().deadLetter == DeadLetter.KEY_GOES_ON) {
      world.journal().write(new Entry.Released(row.message().message().id()));
    }
    if (world.choices().chance(0.7)) {
      world.broker().cure(row.message().message().id());
    }
    world.subscription().requestRetry(row.message().position(), row.message().lane());
  }

  private void discard(ParkedRow row) {
    world.journal().write(new Entry.Discarded(row.message().message().id()));
    world.subscription().requestDiscard(row.message().position(), row.message().lane());
  }
}
