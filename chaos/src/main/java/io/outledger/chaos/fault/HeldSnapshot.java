// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.fault;

import io.outledger.chaos.fault.Incident.Victim;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Somebody holds a snapshot and does nothing: an idle transaction with REPEATABLE READ. */
final class HeldSnapshot implements Story {

  private static final Logger LOG = LoggerFactory.getLogger(HeldSnapshot.class);

  @Override
  public Incident happen(Fault fault, Scene scene) throws SQLException {
    Duration time = scene.between(10_000, 60_000);
    long inFlight = scene.state().unsettled();
    Connection connection = scene.shop().connect();
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_current_xact_id(), count(*) FROM account");
    }
    long now = Scene.now();
    Held held = new Held(connection, now + time.toMillis());
    scene.holds().add(held);
    return new Incident(fault, new Victim("snapshot", 0), inFlight, now, held.untilMs());
  }

  private record Held(Connection connection, long untilMs) implements Holds.Hold {
    @Override
    public void end() {
      try (connection) {
        connection.rollback();
      } catch (SQLException e) {
        LOG.info("the snapshot went with its server: {}", e.getMessage());
      }
    }
  }
}
