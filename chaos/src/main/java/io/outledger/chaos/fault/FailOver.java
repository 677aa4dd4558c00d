// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.fault;

import io.outledger.chaos.database.PostgresServer;
import io.outledger.chaos.fault.Incident.Victim;
import io.outledger.chaos.shop.Patience;
import io.outledger.chaos.shop.Shop;
import io.outledger.servers.Await;
import io.outledger.servers.Postgres;
import io.outledger.servers.PostgresStandby;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The database gets a standby that every commit waits for, is killed, and the standby takes its
 * place. The roles go on: their lines lead to it.
 */
final class FailOver implements Story {

  @Override
  public Incident happen(Fault fault, Scene scene) throws SQLException {
    Shop shop = scene.shop();
    Postgres primary = shop.postgres();
    PostgresStandby standby = primary.standby();
    waitForEachCommit(primary);
    Await.pass(scene.between(500, 3_000));
    Victim victim = new Victim("postgres", primary.pid());
    long unsettled = scene.state().unsettled();
    long began = Scene.now();
    primary.kill();
    standby.promote();
    shop.moveTo(new PostgresServer(standby.server()), shop.database().name());
    return new Incident(fault, victim, unsettled, began, Scene.now());
  }

  private static void waitForEachCommit(Postgres primary) throws SQLException {
    try (Connection connection = primary.connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute("ALTER SYSTEM SET synchronous_standby_names = '*'");
      statement.execute("SELECT pg_reload_conf()");
      Await.until("the standby is synchronous", Patience.ONE_STEP, () -> isSynchronous(statement));
    }
  }

  private static boolean isSynchronous(Statement statement) throws SQLException {
    try (ResultSet row =
        statement.executeQuery(
            "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")) {
      row.next();
      return row.getInt(1) == 1;
    }
  }
}
