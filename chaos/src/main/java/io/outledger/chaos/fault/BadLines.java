// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.fault;

import io.outledger.chaos.database.ShopState;
import io.outledger.chaos.fault.Incident.Victim;
import io.outledger.chaos.shop.Cast;
import io.outledger.servers.Await;
import io.outledger.servers.TcpProxy;
import java.time.Duration;

/** A line is cut, slow, or loses what passes in one direction. */
final class BadLines implements Story {

  private static final long SLOW_MS_MIN = 50;

  @Override
  public Incident happen(Fault fault, Scene scene) {
    String victim = victim(fault, scene);
    TcpProxy line =
        victim.equals("kafka") ? scene.shop().broker().line() : scene.shop().line(victim);
    ShopState before = scene.state();
    long began = Scene.now();
    spoil(fault, line, scene);
    Duration lasting = lasting(fault, scene);
    if (!lasting.isZero()) {
      Await.pass(lasting);
      line.pass();
    }
    return new Incident(fault, new Victim(victim, 0), inFlight(victim, before), began, Scene.now());
  }

  private static void spoil(Fault fault, TcpProxy line, Scene scene) {
    switch (fault) {
      case REQUESTS_LOST, REQUESTS_LOST_LONG, BROKER_REQUESTS_LOST -> line.swallowRequests();
      case REPLIES_LOST, REPLIES_LOST_LONG, BROKER_REPLIES_LOST -> line.swallowReplies();
      case LINE_SLOW -> line.delay(scene.between(SLOW_MS_MIN, scene.shop().lease().toMillis()));
      default -> line.cut();
    }
  }

  private static Duration lasting(Fault fault, Scene scene) {
    long leaseMs = scene.shop().lease().toMillis();
    return switch (fault) {
      case REQUESTS_LOST, REPLIES_LOST -> scene.between(100, 500);
      case REQUESTS_LOST_LONG, REPLIES_LOST_LONG -> scene.between(leaseMs * 3 / 2, leaseMs * 3);
      case BROKER_REQUESTS_LOST, BROKER_REPLIES_LOST -> scene.between(100, leaseMs * 2);
      case LINE_SLOW -> scene.between(leaseMs, leaseMs * 3);
      default -> Duration.ZERO; // a line that was cut is whole again at once
    };
  }

  /** Mostly the owner, since it has most to lose. */
  private static String victim(Fault fault, Scene scene) {
    if (fault.word().startsWith("broker")) {
      return "kafka";
    }
    if (fault.word().endsWith("-long") || scene.random().nextInt(10) < 6) {
      return scene.owner();
    }
    Cast cast = scene.shop().cast();
    return scene.one(cast.all());
  }

  private static long inFlight(String victim, ShopState before) {
    return victim.equals("kafka") ? before.unsettled() : Scene.inFlight(victim, before, before);
  }
}
