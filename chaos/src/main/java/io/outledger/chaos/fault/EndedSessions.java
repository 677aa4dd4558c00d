// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.fault;

import io.outledger.chaos.database.ShopState;
import io.outledger.chaos.fault.Incident.Victim;
import io.outledger.servers.Await;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/** The database server ends a role's sessions, once or up to ten times, five times a second. */
final class EndedSessions implements Story {

  private static final int ROUNDS_MAX = 10;
  private static final Duration PAUSE = Duration.ofMillis(200);

  // A view of the sessions of the moment, a row each.
  private static final String SQL =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ?";

  @Override
  public Incident happen(Fault fault, Scene scene) throws SQLException {
    boolean isOwner = scene.random().nextBoolean();
    String victim = isOwner ? scene.owner() : scene.one(scene.shop().cast().all());
    int rounds = scene.random().nextInt(3) == 0 ? scene.random().nextInt(1, ROUNDS_MAX + 1) : 1;
    ShopState before = scene.state();
    long began = Scene.now();
    try (Connection connection = scene.shop().connect();
        PreparedStatement end = connection.prepareStatement(SQL)) {
      end.setString(1, victim);
      for (int round = 0; round < rounds; round++) {
        end.execute();
        Await.pass(PAUSE);
      }
    }
    return new Incident(
        fault, new Victim(victim, 0), Scene.inFlight(victim, before, before), began, Scene.now());
  }
}
