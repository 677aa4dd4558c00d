// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ConditionsIT {

  private static final String[] ALTERATIONS = {
    "ALTER SEQUENCE outledger_message_position CACHE 20",
    "ALTER SEQUENCE outledger_message_position INCREMENT 2",
    "ALTER SEQUENCE outledger_message_position CYCLE",
    "ALTER TABLE outledger_message ALTER position DROP DEFAULT",
    "ALTER TABLE outledger_message ALTER position"
        + " SET DEFAULT nextval('outledger_message_position')",
    "ALTER TABLE outledger_message SET UNLOGGED",
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
  void alteredLedgerIsRefusedWhileTheLeaseIsHeld() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    try (RelayStore store = database.store("kafka")) {
      SmallRelay.on(store);
      store.checkConditions(0);
      database.execute(ALTERATIONS[0]);
      assertThatThrownBy(() -> store.checkConditions(0))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("OUT-008")
          .hasMessageContaining("cache 20");
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
      StoreDatabase database = StoreDatabase.create();
      database.execute(StoreDatabase.append(10));
      try (RelayStore store = database.store("kafka")) {
        SmallRelay relay = SmallRelay.on(store);
        relay.step();
        database.execute(alteration);
        assertThat(refusal(database)).as(alteration).isEqualTo(ErrorCode.LEDGER_BEHIND_CURSOR);
        assertThatThrownBy(() -> store.checkConditions(relay.frontier.high()))
            .hasMessageContaining("setval");
      }
    }
  }

  @Test
  void truncatedLedgerThatKeepsItsNumbersIsFine() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    database.execute(StoreDatabase.append(10));
    try (RelayStore store = database.store("kafka")) {
      SmallRelay relay = SmallRelay.on(store);
      database.execute("TRUNCATE outledger_message");
      database.execute(StoreDatabase.append(1));
      while (relay.positions.isEmpty() || !relay.frontier.open().isEmpty()) {
        relay.step();
      }
      assertThat(relay.positions).containsExactly(11L);
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
    return refusal(database.stores());
  }

  private static @Nullable ErrorCode refusal(StoreDatabase database, String role) {
    return refusal(new PostgresStores(database.dataSourceAs(role), new Tables("public")));
  }

  private static @Nullable ErrorCode refusal(PostgresStores stores) {
    try (RelayStore store = stores.relayStore("kafka", Start.EARLIEST, StoreDatabase.LEASE)) {
      assertThat(store.takeOver(store.look(), UUID.randomUUID(), StoreDatabase.LEASE)).isPresent();
      return null;
    } catch (ConfigurationException e) {
      return e.code();
    }
  }
}
