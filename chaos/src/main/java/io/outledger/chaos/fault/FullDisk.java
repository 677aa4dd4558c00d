// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.fault;

import io.outledger.chaos.database.ShopState;
import io.outledger.chaos.fault.Incident.Victim;
import io.outledger.servers.Await;
import io.outledger.servers.SmallDisk;

/**
 * The database's disk is filled to the last byte for a while, and freed. A server that ends by that
 * is started again, as its operator would.
 */
record FullDisk(SmallDisk disk) implements Story {

  @Override
  public Incident happen(Fault fault, Scene scene) {
    ShopState before = scene.state();
    long began = Scene.now();
    disk.fill();
    Await.pass(scene.between(2_000, 8_000));
    disk.free();
    if (!scene.shop().postgres().isRunning()) {
      scene.shop().postgres().restart();
    }
    return new Incident(fault, new Victim("disk", 0), before.unsettled(), began, Scene.now());
  }
}
