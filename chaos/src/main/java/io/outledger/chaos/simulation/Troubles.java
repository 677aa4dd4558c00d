// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.store.LedgerMessage;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** What happens to the world at large: servers, clocks and processes. */
final class Troubles {

  private static final long MOVES = 0x7265_706c_6179L;
  private static final long PAUSES = 0x7061_7573_6574L;
  private static final long BACKLOGS = 0x7069_6563_6573L;
  private static final long VERBS = 0x7665_7262_73L;

  private final World world;
  private final Choices moves;
  private final Choices backlogs;
  private final Choices pauses;
  private final Choices verbs;

  Troubles(World world) {
    this.world = world;
    this.moves = world.choices().overflow(MOVES);
    this.backlogs = world.choices().overflow(BACKLOGS);
    this.pauses = world.choices().overflow(PAUSES);
    this.verbs = world.choices().overflow(VERBS);
  }

  /** Taken twice in a hundred turns, and so each chance is fifty times its plan's. */
  void act(SimulatedSubscription subscription) {
    Choices choices = world.choices();
    Plan plan = world.plan();
    if (backlogs.chance(plan.backlogs * 50)) {
      new Backlog(world, subscription, backlogs).happen();
    } else if (choices.chance(plan.serverSwitched * 50)) {
      switchServer();
    } else if (choices.chance(plan.tailLost * 50)) {
      failOver();
    } else if (choices.chance(0.1)) {
      world.standby().catchUp();
    } else if (choices.chance(plan.brokerTurns * 50)) {
      choices.pick(subscription.routes()).broker().turn();
    } else if (choices.chance(plan.clockJumps * 50)) {
      Duration jump = Duration.ofSeconds(choices.between(-3600, 3600));
      world.note(Happening.DATABASE_CLOCK_JUMPED);
      world.tell("database", () -> "its clock jumps by " + jump);
      world.time().databaseJumps(jump);
    } else if (choices.chance(plan.stopped * 50)) {
      choices.pick(subscription.relays()).stop();
    } else if (choices.chance(plan.crash * 20)) {
      choices.pick(subscription.relays()).dieFromOutside();
    } else if (choices.chance(0.2)) {
      new Operator(world, subscription).act();
    } else if (choices.chance(0.1)) {
      mayBeLate();
    } else if (verbs.chance(plan.replayJobs * 50)) {
      new Replaying(world, subscription, verbs).act();
    } else if (verbs.chance(plan.purgedByHand * 50)) {
      world.retention().purgeNow();
    } else if (verbs.chance(plan.deleted * 50)) {
      world.late().ifPresent(late -> new Deleting(world, late).act());
    } else if (moves.chance(plan.movedBack * 50)) {
      mayMoveBack(subscription);
    } else if (pauses.chance(plan.paused * 50)) {
      subscription.pausing().act();
    }
  }

  /** What the standby lacks is much or little: at times not even one save of the cursor. */
  private void failOver() {
    if (world.choices().chance(0.7)) {
      world.standby().catchUp();
      if (world.choices().chance(0.5)) {
        commitAndRead();
      } else {
        world.others().take(world.choices().between(1, 30));
      }
    }
    world.standby().promote();
  }

  /** So that owners have read, and not saved, what the standby lacks: by chance this is rare. */
  private void commitAndRead() {
    for (int turn = world.choices().between(5, 20); turn > 0; turn--) {
      world.writers().act();
    }
    world.time().pass(Duration.ofMillis(20));
    for (SimulatedSubscription subscription : List.copyOf(world.subscriptions())) {
      subscription.relays().stream().filter(RelayProcess::isOwner).forEach(RelayProcess::act);
    }
  }

  private void switchServer() {
    if (world.choices().chance(0.5)) {
      world.note(Happening.SERVER_RESTARTED);
      world.tell("database", () -> "restarts");
      world.writers().sameServerRestarts();
      world.ledger().faults().restartServer();
      drawAgain();
    } else {
      world.note(Happening.SERVER_FAILED_OVER);
      world.tell("database", () -> "a standby, which has everything, is promoted");
      world.writers().serverRestarts();
      world.ledger().faults().failOver();
    }
  }

  /**
   * Where the counter is that of the highest row after a restart, numbers are drawn again that were
   * rolled back. Not while a consumer's transaction goes on, which this world does not roll back.
   */
  private void drawAgain() {
    if (!world.plan().hasGate || world.isConsumerOnStack()) {
      return;
    }
    long committed =
        Stream.concat(world.ledger().messages().stream(), world.retention().removed().stream())
            .mapToLong(LedgerMessage::position)
            .max()
            .orElse(0);
    long last = Math.max(committed, world.writers().drawnByPrepared().max().orElse(0));
    if (last < world.ledger().lastPosition()) {
      world.note(Happening.NUMBERS_DRAWN_AGAIN);
      world.tell("database", () -> "draws numbers again after " + last);
      world.ledger().setLastPosition(last);
    }
  }

  /** As in a database, no subscription is moved between a purge's look at it and the removal. */
  private void mayMoveBack(SimulatedSubscription subscription) {
    if (!world.retention().isRunning()) {
      new Operator(world, subscription).moveBack(moves);
    }
  }

  private void mayBeLate() {
    boolean isLate = world.subscriptions().size() > world.plan().subscriptions.size();
    if (world.plan().hasLate && !isLate && !world.retention().isRunning()) {
      world.subscribeLate();
    }
  }
}
