// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.fault;

import io.outledger.chaos.fault.Incident.Victim;
import io.outledger.chaos.roles.RelayMain;
import io.outledger.chaos.shop.Patience;
import io.outledger.servers.ChildJvm;

/**
 * The owner is asked to stop by SIGTERM; it has to give its lease back. The checker allows no
 * duplicate after that.
 */
final class GracefulStops implements Story {

  @Override
  public Incident happen(Fault fault, Scene scene) {
    ChildJvm child = scene.shop().child(scene.owner());
    long inFlight = scene.state().unsettled();
    long began = Scene.now();
    child.stop(Patience.ONE_STEP);
    // By the newest cursor row, which may also be a successor's, or that of a move.
    boolean isKept =
        scene.shop().relayOf(scene.state().owner()).filter(scene.owner()::equals).isPresent();
    scene.shop().start(scene.owner());
    if (isKept && !hasRunOut(child.outputTail())) {
      throw new IllegalStateException(
          scene.owner() + " was stopped and kept its lease; its output:\n" + child.outputTail());
    }
    return new Incident(
        fault, new Victim(scene.owner(), child.pid()), inFlight, began, Scene.now());
  }

  /** A machine may be too busy to renew a lease in time; who says so had none to give back. */
  private static boolean hasRunOut(String output) {
    return output.indexOf("the lease ran out", output.lastIndexOf(RelayMain.OWNS)) >= 0;
  }
}
