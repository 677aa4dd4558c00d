// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.testing.InMemorySubscription;

/**
 * A person who stops the relays of a subscription and deletes it, which is refused as long as one
 * of them has a lease. It may be made again, under the same name.
 */
record Deleting(World world, SimulatedSubscription subscription) {

  void act() {
    String name = subscription.terms().name;
    subscription.giveUp();
    InMemorySubscription before = subscription.inLedger();
    try {
      if (world.planted() != Planted.DELETED_IN_VAIN) {
        world.ledger().delete(name);
      }
    } catch (ConfigurationException e) {
      if (e.code() != ErrorCode.SUBSCRIPTION_RUNNING) {
        throw e;
      }
      world.note(Happening.DELETION_REFUSED);
      world.tell("operator", () -> "may not delete " + name + " yet");
      return;
    }
    world.note(Happening.SUBSCRIPTION_DELETED);
    world.tell("operator", () -> "deletes " + name);
    world.deleted(subscription, before);
  }
}
