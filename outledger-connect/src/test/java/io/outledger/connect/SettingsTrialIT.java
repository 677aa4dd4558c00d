// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.relay.context.Wakeup;
import io.outledger.servers.KafkaBroker;
import io.outledger.servers.Postgres;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the database and Kafka are asked before a configuration is accepted. */
final class SettingsTrialIT {

  private final KafkaBroker kafka = KafkaBroker.shared();
  private final Shop shop = new Shop(Postgres.shared());
  private final Connectors connectors = new Connectors(kafka, shop);
  private final String role = "validated_" + UUID.randomUUID().toString().replace("-", "");

  @AfterEach
  void close() {
    connectors.close();
    shop.close();
  }

  private Map<String, List<String>> wrong(Map<String, String> choices) {
    Map<String, List<String>> wrong = new HashMap<>();
    new OutledgerSourceConnector()
        .validate(connectors.config(choices))
        .configValues()
        .forEach(
            value -> {
              if (!value.errorMessages().isEmpty()) {
                wrong.put(value.name(), value.errorMessages());
              }
            });
    return wrong;
  }

  private void isTold(Map<String, String> choices, String setting, String text) {
    Map<String, List<String>> wrong = wrong(choices);
    assertThat(wrong).containsOnlyKeys(setting);
    assertThat(String.join("", wrong.get(setting))).contains(text);
  }

  private Map<String, String> role() {
    return Map.of("database.user", role, "database.password", "p");
  }

  @Test
  void theDocumentedRightsAreEnoughAndNothingIsChanged() throws Exception {
    shop.execute(DocumentedRole.statements(role, "p"));
    assertThat(wrong(role())).isEmpty();
    assertThat(shop.number("SELECT count(*) FROM outledger_cursor")).isZero();
  }

  @Test
  void aRoleThatMayNotReadTheLedgerIsToldAtTheUser() {
    shop.execute(
        List.of(
            "CREATE ROLE " + role + " LOGIN PASSWORD 'p'",
            "GRANT USAGE ON SCHEMA public TO " + role,
            "GRANT SELECT ON outledger_schema TO " + role,
            "GRANT INSERT ON outledger_message TO " + role));
    isTold(role(), "database.user", "OUT-027");
  }

  @Test
  void aDatabaseWithoutTheTablesIsToldAtItsAddress() {
    String empty = shop.postgres().createDatabase();
    String url = shop.postgres().jdbcUrl(empty).replaceAll("\\?.*", "");
    isTold(Map.of("database.url", url), "database.url", "OUT-003");
    isTold(Map.of("database.schema", "elsewhere"), "database.schema", "OUT-003");
  }

  @Test
  void aDatabaseThatDoesNotExistIsToldAtItsAddress() {
    isTold(Map.of("database.url", shop.url() + "x"), "database.url", "does not exist");
  }

  @Test
  void whatNobodyListensAtIsToldAtTheAddresses() {
    Map<String, List<String>> wrong =
        wrong(
            Map.of(
                "database.url",
                "jdbc:postgresql://127.0.0.1:1/x",
                "kafka.bootstrap.servers",
                "127.0.0.1:1"));
    assertThat(wrong).containsOnlyKeys("database.url", "kafka.bootstrap.servers");
    assertThat(wrong.values().toString())
        .contains("OUT-016 could not connect to the database", "OUT-022 Kafka does not answer");
  }

  @Test
  void aWrongPasswordIsToldAtThePasswordAndFailsATaskThatGotPastIt() throws Exception {
    shop.execute(DocumentedRole.statements(role, "p"));
    Map<String, String> choices = Map.of("database.user", role, "database.password", "q");
    isTold(choices, "database.password", "OUT-016");
    ConnectorOptions options = ConnectorOptions.of(connectors.config(choices));
    try (SlotReader reader =
        new SlotReader(options, Set.of(0), KeptOffsets::new, new Outstanding(), new Wakeup())) {
      assertThatThrownBy(reader::next)
          .isInstanceOf(ConnectException.class)
          .hasMessageContaining("refuses database.user or database.password")
          .hasMessageContaining(role);
    }
  }
}
