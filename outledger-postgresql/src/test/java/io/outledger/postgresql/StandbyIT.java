// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ErrorCode;
import io.outledger.OutledgerException;
import io.outledger.inbox.Received;
import io.outledger.jdbc.Outledger;
import io.outledger.relay.Relay;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.servers.Await;
import io.outledger.servers.Postgres;
import io.outledger.servers.PostgresStandby;
import io.outledger.testing.RecordingPublisher;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** A real streaming standby: refused as long as it is one, and used once it is promoted. */
class StandbyIT {

  private static final Duration LEASE = Duration.ofSeconds(1);

  private final Postgres primary = Postgres.builder().setting("autovacuum", "off").start();
  private final StoreDatabase database = StoreDatabase.on(primary);

  @AfterEach
  void stop() {
    primary.close();
  }

  @Test
  void applicationInboxAndRelayAreToldThatItIsAStandby() throws Exception {
    PostgreSql.schema().apply(database.dataSource());
    try (PostgresStandby standby = primary.standby()) {
      PGSimpleDataSource source =
          (PGSimpleDataSource) database.alsoOn(standby.server()).dataSource();
      Received message =
          new Received("s", "1", "orders", null, "t", 1, new byte[0], Map.of(), null, "", "");
      try (Outledger outledger = Outledger.builder(source).build();
          Connection connection = source.getConnection()) {
        connection.setAutoCommit(false);
        refused(() -> outledger.outbox().append(connection, LiveRelay.message("k", "k1")));
        connection.rollback();
        refused(() -> outledger.outbox().inNewTransaction(LiveRelay.message("k", "k1")));
        refused(() -> outledger.inbox("stock").process(connection, message, () -> {}));
        refused(() -> relay(outledger).step());
        // With a cursor that was replicated, whose owner is elsewhere and has gone.
        try (StoreBench bench = new StoreBench(database)) {
          bench.options = StoreBench.options().lease(LEASE).build();
          bench.relay().step();
        }
        standby.awaitReplay();
        Relay relay = relay(outledger);
        refused(
            () ->
                Await.until(
                    "a relay looks beyond the lease",
                    Duration.ofSeconds(30),
                    () -> relay.step().nextIn().isNegative()));
      }
    }
  }

  @Test
  void relayGoesOnAtThePromotedStandbyWithAllThatWasReplicated() throws Exception {
    PostgreSql.schema().apply(database.dataSource());
    try (PostgresStandby standby = primary.standby();
        LiveRelay live = new LiveRelay(database, either(standby), o -> o.lease(LEASE));
        Connection open = database.connect()) {
      append(live, 1, 50);
      open.setAutoCommit(false);
      live.outledger.outbox().append(open, LiveRelay.message("open", "never"));
      append(live, 51, 100);
      live.awaitPublished(100);
      live.publisher.holdOutcomes();
      append(live, 101, 150);
      live.awaitPublished(150);
      standby.awaitReplay();
      primary.kill();
      live.publisher.releaseOutcomes();
      standby.promote();
      append(live, 151, 200);
      Await.until(
          () -> live.published().size() + " at the promoted server",
          LiveRelay.PATIENCE,
          () -> live.published().stream().distinct().count() >= 200);
      assertThat(live.published().stream().distinct())
          .containsExactlyElementsOf(ledger(database.alsoOn(standby.server())));
      assertThat(live.events(RelayEvent.StoreFailed.class)).isNotEmpty();
      Await.until(
          "what the dead primary's writer had drawn is proven dead",
          LiveRelay.PATIENCE,
          () ->
              database
                  .alsoOn(standby.server())
                  .query("SELECT behind, open_ranges FROM outledger_lag")
                  .equals(List.of("0|0")));
    }
  }

  private static Relay relay(Outledger outledger) {
    return outledger.relay("kafka").to(new RecordingPublisher()).build();
  }

  private static void append(LiveRelay live, int from, int to) {
    for (int i = from; i <= to; i++) {
      live.outledger.outbox().inNewTransaction(LiveRelay.message("k", Integer.toString(i)));
    }
  }

  private static List<String> ledger(StoreDatabase database) throws SQLException {
    return database.query(
        "SELECT convert_from(payload, 'UTF8') FROM outledger_message ORDER BY position");
  }

  /** What an application uses that is to follow a fail-over. */
  private PGSimpleDataSource either(PostgresStandby standby) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setServerNames(new String[] {"127.0.0.1", "127.0.0.1"});
    source.setPortNumbers(new int[] {primary.port(), standby.server().port()});
    source.setDatabaseName(database.name());
    source.setUser(primary.user());
    source.setPassword(primary.password());
    source.setTargetServerType("primary");
    source.setHostRecheckSeconds(0);
    return source;
  }

  private static void refused(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            OutledgerException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.SERVER_IN_RECOVERY));
  }
}
