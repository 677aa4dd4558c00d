// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.Outledger;
import io.outledger.relay.Relay;
import io.outledger.relay.StepReport;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.testing.RecordingPublisher;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LedgerPreconditionsIT {

  private static final String[] ALTERATIONS = {
    "ALTER SEQUENCE outledger_message_position CACHE 20",
    "ALTER SEQUENCE outledger_message_position INCREMENT 2",
    "ALTER SEQUENCE outledger_message_position CYCLE",
    "ALTER TABLE outledger_message ALTER position DROP DEFAULT",
    "ALTER TABLE outledger_message ALTER position"
        + " SET DEFAULT nextval('outledger_message_position')",
    "ALTER TABLE outledger_message SET UNLOGGED",
    "CREATE TABLE more_messages () INHERITS (outledger_message)",
    """
    ALTER SEQUENCE outledger_message_position OWNED BY NONE;
    ALTER TABLE outledger_message RENAME TO whole;
    CREATE TABLE outledger_message (LIKE whole INCLUDING DEFAULTS) PARTITION BY RANGE (position);
    DROP TABLE whole CASCADE;
    ALTER TABLE outledger_message ADD PRIMARY KEY (position);
    CREATE TABLE outledger_message_0 PARTITION OF outledger_message DEFAULT\
    """,
  };

  @Test
  void alteredLedgerIsRefused() throws SQLException {
    for (String alteration : ALTERATIONS) {
      StoreDatabase database = StoreDatabase.create();
      database.execute(alteration);
      assertThat(refusal(database)).as(alteration).isEqualTo(ErrorCode.LEDGER_ALTERED);
    }
  }

  @Test
  void alteredLedgerStopsARelayThatHoldsItsLease() throws SQLException {
    try (StoreBench bench = new StoreBench()) {
      Relay relay = bench.relay();
      bench.append("k", 1, 1);
      bench.steps(relay, 3);
      bench.database.execute(ALTERATIONS[0]);
      bench.append("k", 2, 2);
      assertStops(bench, relay, "OUT-008", "cache 20");
    }
  }

  @Test
  void numbersBehindTheCursorAreRefused() throws SQLException {
    for (String alteration :
        new String[] {
          "SELECT setval('outledger_message_position', 3)",
          "TRUNCATE outledger_message RESTART IDENTITY",
          "INSERT INTO outledger_message (position, time, id, version, topic, type, payload)"
              + " VALUES (900, now(), gen_random_uuid(), 1, 't', 't', '')"
        }) {
      try (StoreBench bench = new StoreBench()) {
        Relay relay = bench.relay();
        bench.append("k", 1, 10);
        bench.steps(relay, 3);
        bench.database.execute(alteration);
        assertStops(bench, relay, "OUT-007", "setval");
        assertThat(bench.published()).hasSizeBetween(10, 11).startsWith("k1");
      }
    }
  }

  @Test
  void truncatedLedgerThatKeepsItsNumbersIsFine() throws SQLException {
    try (StoreBench bench = new StoreBench()) {
      Relay relay = bench.relay();
      bench.append("gone", 1, 10);
      bench.database.execute("TRUNCATE outledger_message");
      bench.append("k", 11, 11);
      bench.steps(relay, 10);
      bench.stepsUntilOpen(relay, 0);
      assertThat(bench.publisher.positions()).containsExactly(11L);
      assertThat(bench.database.query("SELECT behind, open_ranges FROM outledger_lag"))
          .containsExactly("0|0");
    }
  }

  @Test
  void rowSecurityThatAppliesToTheRelayIsRefused() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    String role = role(database, "secured");
    assertThat(refusal(database, role)).isNull();
    database.execute("ALTER TABLE outledger_message ENABLE ROW LEVEL SECURITY");
    assertThat(refusal(database, role)).isEqualTo(ErrorCode.ROW_SECURITY);
    database.execute("ALTER ROLE " + role + " BYPASSRLS");
    assertThat(refusal(database, role)).isNull();
  }

  @Test
  void ledgerThatALogicalSubscriptionWritesIsRefused() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    String role = role(database, "replicated");
    StoreDatabase source = StoreDatabase.create();
    source.execute("CREATE PUBLICATION out FOR TABLE outledger_message");
    database.execute(
        "CREATE SUBSCRIPTION sub CONNECTION 'host=127.0.0.1 port=%d dbname=%s user=%s password=%s'"
                .formatted(
                    database.server().port(),
                    source.name(),
                    database.server().user(),
                    database.server().password())
            + " PUBLICATION out WITH (create_slot = false, slot_name = NONE, enabled = false)");
    database.execute(
        "INSERT INTO pg_subscription_rel SELECT oid, 'outledger_message'::regclass, 'i', NULL"
            + " FROM pg_subscription WHERE subname = 'sub'"
            + " AND subdbid = (SELECT oid FROM pg_database WHERE datname = current_database())"
            + " AND NOT EXISTS (SELECT FROM pg_subscription_rel)");
    assertThat(refusal(database)).isEqualTo(ErrorCode.LEDGER_REPLICATED_INTO);
    assertThat(refusal(database, role)).isEqualTo(ErrorCode.LEDGER_REPLICATED_INTO);
    database.execute("DROP SUBSCRIPTION sub");
    assertThat(refusal(database)).isNull();
  }

  /** A running owner looks now and then; it is loud, and owns the subscription no longer. */
  private static void assertStops(StoreBench bench, Relay relay, String... words) {
    bench.clock.advance(Duration.ofSeconds(8));
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 10; i++) {
                relay.step();
                bench.clock.advance(Duration.ofSeconds(4));
              }
            })
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll(words);
    assertThat(bench.events(RelayEvent.LeaseLost.class)).hasSize(1);
    assertThatThrownBy(relay::step).isInstanceOf(ConfigurationException.class);
  }

  private static String role(StoreDatabase database, String name) throws SQLException {
    String role = name + "_" + database.name();
    database.execute(
        "CREATE ROLE %1$s; GRANT USAGE ON SCHEMA public TO %1$s;".formatted(role)
            + "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO %1$s;"
                .formatted(role)
            + "GRANT SELECT ON ALL SEQUENCES IN SCHEMA public TO %1$s".formatted(role));
    return role;
  }

  private static @Nullable ErrorCode refusal(StoreDatabase database) {
    return refusal(database.dataSource());
  }

  private static @Nullable ErrorCode refusal(StoreDatabase database, String role) {
    return refusal(database.dataSourceAs(role));
  }

  /** Starts a relay by the public door, which hands over at once where nothing is refused. */
  private static @Nullable ErrorCode refusal(DataSource dataSource) {
    try (Outledger outledger = Outledger.builder(dataSource).build();
        Relay relay = outledger.relay("refused").to(new RecordingPublisher()).build()) {
      assertThat(relay.drain(Duration.ofSeconds(30)).state()).isEqualTo(StepReport.State.RELEASED);
      return null;
    } catch (ConfigurationException e) {
      return e.code();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
