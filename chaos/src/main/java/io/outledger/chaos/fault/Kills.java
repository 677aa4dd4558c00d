// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.fault;

import io.outledger.chaos.fault.Incident.Victim;
import io.outledger.chaos.shop.ShopState;
import io.outledger.servers.ChildJvm;

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
      default -> role(fault, scene.owner(), scene);
    };
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
    Victim victim = new Victim("postgres", scene.shop().postgres().pid());
    long unsettled = scene.state().unsettled();
    long began = Scene.now();
    scene.shop().postgres().kill();
    scene.shop().postgres().restart();
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
