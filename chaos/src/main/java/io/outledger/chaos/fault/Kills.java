// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.fault;

import io.outledger.chaos.database.DatabaseServer;
import io.outledger.chaos.database.ShopState;
import io.outledger.chaos.fault.Incident.Victim;
import io.outledger.chaos.shop.Patience;
import io.outledger.servers.Await;
import io.outledger.servers.ChildJvm;
import java.util.concurrent.atomic.AtomicLong;

/** A process is killed by {@code kill -9}, and started again. */
final class Kills implements Story {

  @Override
  public Incident happen(Fault fault, Scene scene) {
    return switch (fault) {
      case DATABASE_KILLED -> database(scene);
      case BROKER_KILLED -> broker(scene);
      case STANDBY_KILLED -> role(fault, scene.standby(), scene);
      case WRITER_KILLED -> role(fault, scene.one(scene.shop().cast().writers()), scene);
      case CONSUMER_KILLED -> role(fault, scene.one(scene.shop().cast().consumers()), scene);
      case OPERATOR_KILLED -> role(fault, scene.one(scene.shop().cast().operators()), scene);
      default -> owner(fault, scene);
    };
  }

  private static Incident owner(Fault fault, Scene scene) {
    String name = scene.owner();
    ChildJvm child = scene.shop().child(name);
    long began = Scene.now();
    long inFlight = holdAtWork(child, scene);
    child.kill();
    scene.shop().start(name);
    return new Incident(fault, new Victim(name, child.pid()), inFlight, began, Scene.now());
  }

  /**
   * Stops an owner at a moment at which it has work in flight, to be killed as it stands. One that
   * is looked at first and killed then may just have saved all that it was given, and such a kill
   * proves nothing.
   *
   * @return how much it has in flight
   */
  private static long holdAtWork(ChildJvm owner, Scene scene) {
    AtomicLong inFlight = new AtomicLong();
    Await.until(
        "the owner is stopped with work in flight",
        Patience.ONE_STEP,
        () -> {
          owner.suspend();
          inFlight.set(scene.state().unsettled());
          if (inFlight.get() == 0) {
            owner.resume();
          }
          return inFlight.get() > 0;
        });
    return inFlight.get();
  }

  private static Incident role(Fault fault, String name, Scene scene) {
    ChildJvm child = scene.shop().child(name);
    ShopState before = scene.state();
    long began = Scene.now();
    child.kill();
    ShopState after = scene.state();
    scene.shop().start(name);
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
    server.kill();
    server.restart();
    return new Incident(Fault.DATABASE_KILLED, victim, unsettled, began, Scene.now());
  }

  private static Incident broker(Scene scene) {
    Victim victim = new Victim("kafka", scene.shop().kafka().pid());
    long began = Scene.now();
    scene.shop().kafka().kill();
    long unsettled = scene.state().unsettled();
    scene.shop().kafka().restart();
    return new Incident(Fault.BROKER_KILLED, victim, unsettled, began, Scene.now());
  }
}
