// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.fault;

import io.outledger.chaos.fault.Incident.Victim;
import io.outledger.chaos.history.CommitOutcome;
import io.outledger.chaos.history.History;
import io.outledger.chaos.shop.Patience;
import io.outledger.chaos.shop.Shop;
import io.outledger.chaos.shop.ShopDatabase;
import io.outledger.jdbc.Outledger;
import io.outledger.servers.Await;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A transaction has appended messages of a key of its own and is prepared by XA; then its session
 * ends. A good while later it is committed or rolled back from another session, as by a transaction
 * manager, whatever became of the server meanwhile.
 */
final class PreparedTransaction implements Story {

  @Override
  public Incident happen(Fault fault, Scene scene) throws SQLException {
    long now = Scene.now();
    long untilMs = now + scene.between(5_000, 60_000).toMillis();
    Shop shop = scene.shop();
    HeldMessages held = HeldMessages.of(scene);
    String xid = "'" + held.key() + "'";
    try (Connection connection = shop.connect();
        Outledger outledger = Outledger.builder(shop.database().dataSource()).build()) {
      connection.setAutoCommit(false);
      execute(connection, "XA START " + xid);
      outledger.outbox().append(connection, held.messages());
      execute(connection, "XA END " + xid);
      execute(connection, "XA PREPARE " + xid);
      connection.abort(Runnable::run); // a driver's close would ask for a roll-back
    }
    CommitOutcome end =
        scene.random().nextBoolean() ? CommitOutcome.COMMITTED : CommitOutcome.ROLLED_BACK;
    scene.holds().add(new Prepared(shop, untilMs, held, end));
    return new Incident(fault, new Victim("transaction", 0), held.messages().size(), now, untilMs);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private record Prepared(Shop shop, long untilMs, HeldMessages held, CommitOutcome outcome)
      implements Holds.Hold {

    /** The server keeps what is prepared: that it were gone would be its own fault, and is told. */
    @Override
    public void end() {
      String verb = outcome == CommitOutcome.COMMITTED ? "XA COMMIT " : "XA ROLLBACK ";
      try (History file = History.open(shop.history(Shop.HOLDER))) {
        file.writeAll(held.written(CommitOutcome.UNKNOWN));
        Await.until(
            () -> "the prepared transaction " + held.key() + " ends",
            Patience.ONE_STEP,
            () -> isDone(shop.database(), verb + "'" + held.key() + "'"));
        file.writeAll(held.written(outcome));
      }
    }

    private static boolean isDone(ShopDatabase database, String sql) {
      try (Connection connection = database.connect()) {
        execute(connection, sql);
        return true;
      } catch (SQLException e) {
        return false; // a session that was just ended may still hold it
      }
    }
  }
}
