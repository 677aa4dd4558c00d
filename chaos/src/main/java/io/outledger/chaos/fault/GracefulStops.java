// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.fault;

import io.outledger.chaos.fault.Incident.Victim;
import io.outledger.servers.ChildJvm;
import java.sql.SQLException;
import java.time.Duration;

/**
 * The owner is asked to stop by SIGTERM; it has to give its lease back. The checker allows no
 * duplicate after that.
 */
final class GracefulStops implements Story {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Override
  public Incident happen(Fault fault, Scene scene) throws SQLException {
    String incarnation = scene.state().owner();
    ChildJvm child = scene.shop().child(scene.owner());
    long inFlight = scene.state().unsettled();
    long began = Scene.now();
    child.stop(PATIENCE);
    boolean isGivenBack = scene.shop().isGivenBackBy(incarnation);
    scene.shop().start(scene.owner());
    if (!isGivenBack) {
      throw new IllegalStateException(scene.owner() + " was stopped and kept its lease");
    }
    return new Incident(
        fault, new Victim(scene.owner(), child.pid()), inFlight, began, Scene.now());
  }
}
