// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.fault;

import io.outledger.chaos.database.MySqlServer;
import io.outledger.chaos.fault.Incident.Victim;
import io.outledger.chaos.shop.Shop;
import io.outledger.servers.Await;
import io.outledger.servers.InnoDbReplica;
import io.outledger.servers.TcpProxy;
import java.sql.SQLException;

/**
 * The database of MariaDB or MySQL gets a replica. Either a relay's line leads there for a while:
 * it must publish nothing that it reads there, and change nothing. Or the replica takes the place
 * of its server, and the roles go on: their lines lead to it.
 */
final class Replicas implements Story {

  @Override
  public Incident happen(Fault fault, Scene scene) throws SQLException {
    // Of what was prepared before the replica began, that would only hear the end.
    scene.holds().endAll();
    MySqlServer primary = scene.shop().database().mySql();
    InnoDbReplica replica = primary.replica(scene.shop().database().name());
    return fault == Fault.REPLICA_PROMOTED
        ? promoted(scene, primary, replica)
        : ledThere(scene, primary, replica);
  }

  private static Incident promoted(Scene scene, MySqlServer primary, InnoDbReplica replica)
      throws SQLException {
    Shop shop = scene.shop();
    Await.pass(scene.between(500, 3_000));
    Victim victim = new Victim(primary.name(), primary.pid());
    long unsettled = scene.state().unsettled();
    long began = Scene.now();
    shop.moveTo(primary.replacedBy(replica.takeOver()), shop.database().name());
    return new Incident(Fault.REPLICA_PROMOTED, victim, unsettled, began, Scene.now());
  }

  /** Whoever wrote to the replica would stop it at the next row that it replicates. */
  private static Incident ledThere(Scene scene, MySqlServer primary, InnoDbReplica replica)
      throws SQLException {
    String name = scene.random().nextBoolean() ? scene.owner() : scene.standby();
    Victim victim = new Victim(name, scene.shop().child(name).pid());
    TcpProxy line = scene.shop().line(name);
    long unsettled = scene.state().unsettled();
    long began = Scene.now();
    try (replica) {
      line.leadTo(replica.server().port());
      Await.pass(scene.leases());
      line.leadTo(primary.port());
      replica.catchUp();
      if (!replica.error().isEmpty()) {
        throw new IllegalStateException(name + " has changed a replica: " + replica.error());
      }
    }
    return new Incident(Fault.LED_TO_REPLICA, victim, unsettled, began, Scene.now());
  }
}
