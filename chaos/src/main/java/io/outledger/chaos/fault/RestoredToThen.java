// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.fault;

import io.outledger.chaos.database.PostgresServer;
import io.outledger.chaos.database.ShopState;
import io.outledger.chaos.fault.Incident.Victim;
import io.outledger.chaos.history.Entry;
import io.outledger.chaos.shop.Cast;
import io.outledger.chaos.shop.Patience;
import io.outledger.chaos.shop.Shop;
import io.outledger.servers.Await;
import io.outledger.servers.PostgresBackup;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/**
 * The database is restored, by a backup and its log, to a moment of a while ago, at which a hole
 * was open. What writers have committed since is gone, published or not; ledger and cursor come
 * back together, so the relay publishes again what it had saved since, and goes on. Consumers are
 * stopped over all of it: an effect that a restore takes away does not come back by itself.
 */
final class RestoredToThen implements Story {

  private static final int FETCH = 10_000;
  private static final String MESSAGES =
      "SELECT id FROM outledger_message UNION ALL SELECT id FROM purged";

  @Override
  public Incident happen(Fault fault, Scene scene) throws SQLException {
    Shop shop = scene.shop();
    Cast cast = shop.cast();
    scene.holds().endAll();
    cast.consumers().forEach(name -> shop.child(name).stop(Patience.ONE_STEP));
    PostgresBackup backup = shop.postgres().backup();
    Holds.Hold hole = HeldTransaction.openHole(scene);
    backup.markMoment();
    ShopState then = scene.state();
    Await.until(
        () -> "the relay goes on beyond the moment: " + scene.state(),
        Patience.ONE_STEP,
        () -> scene.state().settled() > then.settled());
    Await.pass(scene.between(500, 3_000));
    long began = Scene.now();
    cast.relays().forEach(name -> shop.child(name).kill());
    cast.writers().forEach(name -> shop.child(name).kill());
    cast.operators().forEach(name -> shop.child(name).kill());
    hole.end();
    awaitNoWriter(shop);
    Victim victim = new Victim("postgres", shop.postgres().pid());
    long unsettled = scene.state().unsettled() + scene.state().settled() - then.settled();
    // Without a dead letter its key has gone on, though the database forgets that it was one.
    ids(shop, "SELECT id FROM dead").forEach(id -> scene.observed().accept(new Entry.Released(id)));
    Set<UUID> gone = ids(shop, MESSAGES);
    shop.postgres().kill();
    shop.moveTo(new PostgresServer(backup.restore()), shop.database().name());
    gone.removeAll(ids(shop, MESSAGES));
    gone.forEach(id -> scene.observed().accept(new Entry.Forgotten(id)));
    cast.all().forEach(shop::start);
    return new Incident(fault, victim, unsettled, began, Scene.now());
  }

  /** What a killed writer has asked for may still be committed. */
  private static void awaitNoWriter(Shop shop) throws SQLException {
    try (Connection connection = shop.connect();
        Statement statement = connection.createStatement()) {
      Await.until(
          "the writers' sessions have ended", Patience.ONE_STEP, () -> hasNoWriter(statement));
    }
  }

  private static boolean hasNoWriter(Statement statement) throws SQLException {
    try (ResultSet row =
        statement.executeQuery(
            """
            SELECT count(*) = 0 FROM pg_stat_activity WHERE application_name LIKE 'writer%'
                OR application_name LIKE 'operator%'\
            """)) {
      row.next();
      return row.getBoolean(1);
    }
  }

  private static Set<UUID> ids(Shop shop, String sql) throws SQLException {
    Set<UUID> ids = new HashSet<>();
    try (Connection connection = shop.connect()) {
      connection.setAutoCommit(false); // or the driver would hold all rows at once
      try (Statement statement = connection.createStatement()) {
        statement.setFetchSize(FETCH);
        ResultSet row = statement.executeQuery(sql);
        while (row.next()) {
          ids.add(row.getObject(1, UUID.class));
        }
      }
    }
    return ids;
  }
}
