// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.chaos.history.Entry;
import io.outledger.relay.options.RetryPolicy.DeadLetter;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import io.outledger.store.Start;
import io.outledger.testing.ParkedRow;
import java.util.List;

/**
 * A person who wants a dead letter tried again or discarded, and asks its owner to do so; or who
 * moves the subscription back.
 */
final class Operator {

  private final World world;
  private final SimulatedSubscription subscription;

  Operator(World world, SimulatedSubscription subscription) {
    this.world = world;
    this.subscription = subscription;
  }

  void act() {
    List<ParkedRow> dead =
        subscription.inLedger().parked().stream()
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

  /**
   * Moves the subscription back to a message that the ledger still has, whoever owns it, and
   * whatever is open below. Not to one from before its start.
   */
  void moveBack(Choices choices) {
    long high = subscription.inLedger().frontier().high();
    List<LedgerMessage> all =
        world.ledger().messages().stream()
            .filter(m -> m.position() <= high && m.position() > subscription.startedAfter())
            .toList();
    if (all.isEmpty()) {
      return;
    }
    long position = choices.pick(all).position();
    world.note(Happening.SUBSCRIPTION_MOVED_BACK);
    world.tell("operator", () -> "moves " + subscription.terms().name + " back to " + position);
    subscription.movesBack(position);
    subscription.inLedger().move(Start.at(position));
    subscription.routes().forEach(SimulatedRoute::wasMoved);
  }

  private void release(ParkedRow row) {
    SimulatedRoute route = subscription.route(row.message().route());
    if (subscription.terms().deadLetter == DeadLetter.KEY_GOES_ON) {
      route.journal().write(new Entry.Released(row.message().message().id()));
    }
    if (world.choices().chance(0.7)) {
      route.broker().cure(row.message().message().id());
    }
    world.note(Happening.DEAD_LETTER_RELEASED);
    long position = row.message().position();
    world.tell("operator", () -> "wants the dead letter at " + position + " tried again");
    subscription.inLedger().requestRetry(position, row.message().route());
  }

  private void discard(ParkedRow row) {
    SimulatedRoute route = subscription.route(row.message().route());
    route.discarded(row.message().message().id());
    route.copies().givenUp(ParkedPlace.of(row.message()));
    subscription.inLedger().requestDiscard(row.message().position(), row.message().route());
  }
}
