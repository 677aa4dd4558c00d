// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.fault;

import io.outledger.chaos.fault.Incident.Victim;
import io.outledger.chaos.history.CommitOutcome;
import io.outledger.chaos.history.History;
import io.outledger.chaos.shop.Patience;
import io.outledger.chaos.shop.Shop;
import io.outledger.jdbc.Outledger;
import io.outledger.servers.Await;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transaction has appended messages of a key of its own and stays open for a good while, while
 * others commit beyond it; then it commits or rolls back.
 */
final class HeldTransaction implements Story {

  private static final Logger LOG = LoggerFactory.getLogger(HeldTransaction.class);

  @Override
  public Incident happen(Fault fault, Scene scene) throws SQLException {
    long now = Scene.now();
    long untilMs = now + scene.between(10_000, 180_000).toMillis();
    scene.holds().add(open(scene, untilMs, scene.random().nextBoolean()));
    return new Incident(fault, new Victim("transaction", 0), HeldMessages.COUNT, now, untilMs);
  }

  /** Opens one, which is to commit or to roll back when it is let go. */
  private static Held open(Scene scene, long untilMs, boolean commits) throws SQLException {
    Shop shop = scene.shop();
    HeldMessages held = HeldMessages.of(scene);
    Connection connection = shop.connect();
    connection.setAutoCommit(false);
    try (Outledger outledger = Outledger.builder(shop.database().dataSource()).build()) {
      outledger.outbox().append(connection, held.messages());
    }
    return new Held(connection, untilMs, commits, held, shop.history(Shop.HOLDER));
  }

  /** Opens one that is to roll back, and returns when positions beyond its own have been read. */
  static Holds.Hold openHole(Scene scene) throws SQLException {
    Held hole = open(scene, 0, false);
    long drawn = lastSeen(hole.connection());
    Await.until(
        () -> "positions beyond the open transaction are read: " + scene.state(),
        Patience.ONE_STEP,
        () -> scene.state().high() > drawn);
    return hole;
  }

  /** Its own messages are among those that the transaction sees. */
  private static long lastSeen(Connection held) throws SQLException {
    try (Statement statement = held.createStatement();
        ResultSet row = statement.executeQuery("SELECT MAX(position) FROM outledger_message")) {
      row.next();
      return row.getLong(1);
    }
  }

  private record Held(
      Connection connection, long untilMs, boolean commits, HeldMessages held, Path history)
      implements Holds.Hold {

    @Override
    public void end() {
      try (History file = History.open(history);
          connection) {
        file.writeAll(held.written(CommitOutcome.UNKNOWN));
        if (commits) {
          connection.commit();
          file.writeAll(held.written(CommitOutcome.COMMITTED));
        } else {
          connection.rollback();
          file.writeAll(held.written(CommitOutcome.ROLLED_BACK));
        }
      } catch (SQLException e) {
        LOG.info("the transaction went with its server: {}", e.getMessage());
      }
    }
  }
}
