// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.fault;

import io.outledger.chaos.database.DatabaseServer;
import io.outledger.chaos.database.ShopState;
import io.outledger.chaos.fault.Incident.Victim;
import io.outledger.chaos.history.Entry;
import io.outledger.chaos.roles.RelayMain;
import io.outledger.servers.Await;
import io.outledger.servers.ChildJvm;

/** A process is stopped by SIGSTOP for two to three leases, and goes on by SIGCONT. */
final class Freezes implements Story {

  @Override
  public Incident happen(Fault fault, Scene scene) {
    return switch (fault) {
      case DATABASE_FROZEN -> database(scene);
      case BROKER_FROZEN -> broker(scene);
      case STANDBY_FROZEN -> role(fault, scene.standby(), scene);
      case WRITER_FROZEN -> role(fault, scene.one(scene.shop().cast().writers()), scene);
      case CONSUMER_FROZEN -> role(fault, scene.one(scene.shop().cast().consumers()), scene);
      default -> role(fault, scene.owner(), scene);
    };
  }

  private static Incident role(Fault fault, String name, Scene scene) {
    ChildJvm child = scene.shop().child(name);
    ShopState before = scene.state();
    long began = Scene.now();
    child.suspend();
    ShopState after = scene.state();
    if (fault == Fault.OWNER_FROZEN) {
      // What it had handed over when it froze may be sent when it goes on, after its successor has.
      long handedOver = Math.min(RelayMain.WINDOW, after.unsettled());
      scene.observed().accept(new Entry.Crashed(name + " was frozen", handedOver));
    }
    Await.pass(scene.leases());
    child.resume();
    return new Incident(
        fault,
        new Victim(name, child.pid()),
        Scene.inFlight(name, before, after),
        began,
        Scene.now());
  }

  private static Incident database(Scene scene) {
    DatabaseServer server = scene.shop().database().server();
    Victim victim = new Victim(server.name(), server.pid());
    long unsettled = scene.state().unsettled();
    long began = Scene.now();
    server.suspend();
    Await.pass(scene.leases());
    server.resume();
    return new Incident(Fault.DATABASE_FROZEN, victim, unsettled, began, Scene.now());
  }

  private static Incident broker(Scene scene) {
    Victim victim = new Victim("kafka", scene.shop().kafka().pid());
    long began = Scene.now();
    scene.shop().kafka().suspend();
    long unsettled = scene.state().unsettled();
    Await.pass(scene.leases());
    scene.shop().kafka().resume();
    return new Incident(Fault.BROKER_FROZEN, victim, unsettled, began, Scene.now());
  }
}
