// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.fault;

import io.outledger.chaos.fault.Incident.Victim;
import io.outledger.chaos.shop.Shop;
import io.outledger.servers.Await;
import java.util.ArrayList;
import java.util.List;

/**
 * A new version of the service, which appends and takes messages of a version that the old one does
 * not know. First a relay that stands by gets it, then the writers, while an old owner is at work;
 * then the other relays. Where it is taken back, the writers go on with it for a while, and no
 * relay has it.
 */
final class RollOuts implements Story {

  private static final long PAUSE_MS_MAX = 1_000;

  @Override
  public Incident happen(Fault fault, Scene scene) {
    Shop shop = scene.shop();
    String first = scene.standby();
    int old = shop.version(first);
    Victim victim = new Victim(first, shop.child(first).pid());
    long inFlight = scene.state().unsettled();
    long began = Scene.now();
    shop.deploy(first, old + 1);
    shop.cast().writers().forEach(writer -> shop.deploy(writer, old + 1));
    Await.pass(scene.between(0, PAUSE_MS_MAX));
    if (fault == Fault.ROLLED_BACK) {
      shop.deploy(first, old);
      Await.pass(scene.between(0, PAUSE_MS_MAX));
    }
    List<String> left = new ArrayList<>(shop.cast().relays());
    left.removeIf(relay -> shop.version(relay) > old);
    left.forEach(relay -> shop.deploy(relay, old + 1));
    return new Incident(fault, victim, inFlight, began, Scene.now());
  }
}
