// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.fault;

import io.outledger.chaos.database.DatabaseServer;
import io.outledger.chaos.database.ShopState;
import io.outledger.chaos.fault.Incident.Victim;
import io.outledger.chaos.shop.Cast;
import io.outledger.chaos.shop.Patience;
import io.outledger.chaos.shop.Shop;
import io.outledger.chaos.shop.ShopDatabase;
import java.sql.SQLException;

/**
 * The database is dumped and restored into a new server, whose transaction ids are low, or whose
 * gate nobody holds: writers and consumers are stopped for it, the relays are killed with work in
 * flight, and a roll-back after that leaves a hole which only the restored cursor knows.
 */
final class RestoredElsewhere implements Story {

  @Override
  public Incident happen(Fault fault, Scene scene) throws SQLException {
    Shop shop = scene.shop();
    Cast cast = shop.cast();
    scene.holds().endAll();
    Holds.Hold hole = HeldTransaction.openHole(scene);
    long began = Scene.now();
    cast.relays().forEach(name -> shop.child(name).kill());
    cast.operators().forEach(name -> shop.child(name).stop(Patience.ONE_STEP));
    cast.writers().forEach(name -> shop.child(name).stop(Patience.ONE_STEP));
    cast.consumers().forEach(name -> shop.child(name).stop(Patience.ONE_STEP));
    hole.end();
    ShopState state = scene.state();
    if (state.waiting() == 0) {
      throw new IllegalStateException("no hole is open, so the restore would prove nothing");
    }
    move(shop);
    cast.all().forEach(shop::start);
    DatabaseServer server = shop.database().server();
    Victim victim = new Victim(server.name(), server.pid());
    return new Incident(fault, victim, state.unsettled(), began, Scene.now());
  }

  private static void move(Shop shop) throws SQLException {
    ShopDatabase database = shop.database();
    DatabaseServer server = database.startServer();
    shop.moveTo(server, database.server().restoredOn(server, database.name()));
  }
}
