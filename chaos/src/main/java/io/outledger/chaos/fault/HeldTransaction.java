// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.fault;

import io.outledger.Message;
import io.outledger.chaos.fault.Incident.Victim;
import io.outledger.chaos.history.CommitOutcome;
import io.outledger.chaos.history.Entry;
import io.outledger.chaos.history.History;
import io.outledger.chaos.roles.RoleSettings;
import io.outledger.chaos.shop.Shop;
import io.outledger.jdbc.Outledger;
import io.outledger.servers.Await;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transaction has appended messages of a key of its own and stays open for a good while, while
 * others commit beyond it; then it commits or rolls back.
 */
final class HeldTransaction implements Story {

  private static final Logger LOG = LoggerFactory.getLogger(HeldTransaction.class);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int MESSAGES = 3;

  @Override
  public Incident happen(Fault fault, Scene scene) throws SQLException {
    long now = Scene.now();
    long untilMs = now + scene.between(10_000, 180_000).toMillis();
    scene.holds().add(open(scene, untilMs, scene.random().nextBoolean()));
    return new Incident(fault, new Victim("transaction", 0), MESSAGES, now, untilMs);
  }

  /** Opens one, which is to commit or to roll back when it is let go. */
  static Holds.Hold open(Scene scene, long untilMs, boolean commits) throws SQLException {
    Shop shop = scene.shop();
    String key = "held-" + Long.toHexString(scene.random().nextLong());
    List<Message> messages = new ArrayList<>();
    List<Entry.Wrote> written = new ArrayList<>();
    for (int i = 1; i <= MESSAGES; i++) {
      Message message =
          Message.to(RoleSettings.TOPIC, "account.held")
              .key(key)
              .payload((key + " " + i).getBytes(StandardCharsets.UTF_8))
              .build();
      messages.add(message);
      written.add(new Entry.Wrote(key, i, message.id(), CommitOutcome.UNKNOWN));
    }
    Connection connection = shop.connect();
    connection.setAutoCommit(false);
    try (Outledger outledger = Outledger.builder(dataSource(shop)).build()) {
      outledger.outbox().append(connection, messages);
    }
    return new Held(connection, untilMs, commits, written, shop.history(Shop.HOLDER));
  }

  /** Opens one that is to roll back, and returns when positions beyond its own have been read. */
  static Holds.Hold openHole(Scene scene) throws SQLException {
    Holds.Hold hole = open(scene, 0, false);
    long drawn = lastDrawn(scene.shop());
    Await.until(
        () -> "positions beyond the open transaction are read: " + scene.state(),
        PATIENCE,
        () -> scene.state().high() > drawn);
    return hole;
  }

  private static long lastDrawn(Shop shop) throws SQLException {
    try (Connection connection = shop.connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                SELECT pg_sequence_last_value(
                         pg_get_serial_sequence('outledger_message', 'position'))\
                """)) {
      row.next();
      return row.getLong(1);
    }
  }

  private static PGSimpleDataSource dataSource(Shop shop) {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setURL(shop.postgres().jdbcUrl(shop.database().name()));
    return dataSource;
  }

  private record Held(
      Connection connection, long untilMs, boolean commits, List<Entry.Wrote> written, Path history)
      implements Holds.Hold {

    @Override
    public void end() {
      try (History file = History.open(history);
          connection) {
        file.writeAll(written);
        if (commits) {
          connection.commit();
          file.writeAll(with(CommitOutcome.COMMITTED));
        } else {
          connection.rollback();
          file.writeAll(with(CommitOutcome.ROLLED_BACK));
        }
      } catch (SQLException e) {
        LOG.info("the transaction went with its server: {}", e.getMessage());
      }
    }

    private List<Entry.Wrote> with(CommitOutcome outcome) {
      return written.stream()
          .map(one -> new Entry.Wrote(one.key(), one.counter(), one.id(), outcome))
          .toList();
    }
  }
}
