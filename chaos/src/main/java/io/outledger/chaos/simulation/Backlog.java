// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import java.time.Duration;
import java.util.UUID;

/**
 * An owner has read and saved much of which nothing has arrived, and dies beside a transaction that
 * is still open. The transaction ends while a successor reads all that again, a piece at a time. By
 * chance this hardly ever happens: transactions are short, and they end while nobody owns the lease
 * or after the successor has read everything. Then nothing commits late above earlier messages of
 * its key that are still to be read.
 */
final class Backlog {

  private static final int TURNS_MAX = 40;

  private final World world;
  private final SimulatedSubscription subscription;
  private final Choices choices;

  Backlog(World world, SimulatedSubscription subscription, Choices choices) {
    this.world = world;
    this.subscription = subscription;
    this.choices = choices;
  }

  /** Lets it happen, unless a relay is in the middle of a step, and can take no other. */
  void happen() {
    if (subscription.relays().stream().anyMatch(RelayProcess::isOnStack)) {
      return;
    }
    subscription.heal();
    read(5);
    grow(choices.between(3, 15));
    OpenTransaction late = world.writers().beginHeld();
    for (int turn = 0; turn < TURNS_MAX && high() <= late.lowest(); turn++) {
      grow(1);
    }
    UUID before = inForce();
    subscription.relays().forEach(RelayProcess::dieFromOutside);
    subscription.heal();
    for (int turn = 0; turn < TURNS_MAX && before.equals(inForce()); turn++) {
      world.time().pass(subscription.terms().lease.dividedBy(4));
      subscription.relays().forEach(RelayProcess::act);
    }
    read(choices.between(2, 8));
    world.writers().endHeld(late);
    read(choices.between(3, 30));
  }

  private UUID inForce() {
    return subscription.inLedger().newest().incarnation();
  }

  /** Commits messages, which the owner reads and saves as open. */
  private void grow(int transactions) {
    for (int i = 0; i < transactions; i++) {
      world.writers().commitOne();
    }
    read(3);
  }

  private long high() {
    return subscription.inLedger().frontier().high();
  }

  private void read(int steps) {
    for (int step = 0; step < steps; step++) {
      world.time().pass(Duration.ofMillis(40));
      subscription.relays().forEach(RelayProcess::act);
    }
  }
}
