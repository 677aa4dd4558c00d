// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import java.time.Duration;

/**
 * The publisher with which a process serves one route.
 *
 * @param world where it is
 * @param process whose it is
 * @param route the route
 */
record RouteSender(World world, RelayProcess process, SimulatedRoute route) implements Publisher {

  @Override
  public KeyOrder keyOrder() {
    return route.subscription().terms().keyOrder;
  }

  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    if (!process.isAlive()) {
      throw new DestinationUnavailableException("the process is dead", null);
    }
    if (!route.broker().isReachable() && world.choices().chance(0.5)) {
      throw new DestinationUnavailableException("the broker cannot be reached", null);
    }
    ModelClient client = new ModelClient(world, this, deliveryTimeMax, outcomes);
    world.tell(process, () -> "opens a client, which may take " + deliveryTimeMax);
    process.opened(client);
    route.broker().opened(client);
    return client;
  }
}
