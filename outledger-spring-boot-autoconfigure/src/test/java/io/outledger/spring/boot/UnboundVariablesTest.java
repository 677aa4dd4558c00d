// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

class UnboundVariablesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "OUTLEDGER_RELAY_LEASES",
        "OUTLEDGER_RELAYS_LEASE",
        "OUTLEDGER_SCHEMA_INITIALISATION",
        "OUTLEDGER_PUBLISHERS_ORDERS_KAFKA_TOPIK",
        "OUTLEDGER_PUBLISHERS_ORDER_EVENTS_KAFKA_TOPIC"
      })
  void aVariableThatSetsNothingIsToldWithWhatWasMeantAndWithoutItsValue(String name) {
    assertThat(of(name))
        .singleElement()
        .asString()
        .startsWith("the environment variable " + name + " sets nothing")
        .contains("did you mean outledger.")
        .doesNotContain("s3cret");
  }

  @Test
  void whatWasMeantIsToldInBothForms() {
    assertThat(of("OUTLEDGER_RELAY_LEASES"))
        .singleElement()
        .asString()
        .contains("did you mean outledger.relay.lease (OUTLEDGER_RELAY_LEASE)?");
  }

  @ParameterizedTest
  @ValueSource(strings = {"OUTLEDGER_RELAY_MAXRETRIES", "OUTLEDGER_RELAY_MAX_RETRIES"})
  void theWordsOfOtherOutboxesAreKnownHereToo(String name) {
    assertThat(of(name))
        .singleElement()
        .asString()
        .contains("did you mean outledger.relay.attempts-max (OUTLEDGER_RELAY_ATTEMPTSMAX)?");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "OUTLEDGER_RELAY_LEASE",
        "OUTLEDGER_RELAY_ATTEMPTSMAX",
        "OUTLEDGER_RELAY_ATTEMPTS_MAX",
        "OUTLEDGER_EVENTS_PACKAGES",
        "OUTLEDGER_EVENTS_PACKAGES_0",
        "OUTLEDGER_SUBSCRIPTIONS_ORDERS_REPLACES_12",
        "OUTLEDGER_PUBLISHERS_ORDEREVENTS_WEBHOOK_SECRETS_0",
        "OUTLEDGER_PUBLISHERS_ORDERS_KAFKA_PROPERTIES_LINGER_MS",
        "outledger_relay_lease",
        "OUTLEDGER_HOME",
        "OUTLEDGERS_RELAY_LEASES",
        "OUTLEDGER_RELAY_SERVICE_HOST",
        "OUTLEDGER_RELAY_PORT",
        "OUTLEDGER_RELAY_PORT_8080_TCP_ADDR"
      })
  void whatSetsSomethingOrIsNotOursIsNotTold(String name) {
    assertThat(of(name)).isEmpty();
  }

  @Test
  void aSystemPropertyThatSetsNothingIsTold() {
    StandardEnvironment environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .replace(
            StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME,
            new MapPropertySource(
                StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME,
                Map.of(
                    "outledger.relay.pollInterval", "1s",
                    "outledger.events.packages[0]", "a",
                    "outledger.relay.poll-intervall", "1s")));

    assertThat(UnboundVariables.find(environment))
        .singleElement()
        .asString()
        .startsWith("the system property outledger.relay.poll-intervall sets nothing")
        .contains("did you mean outledger.relay.poll-interval");
  }

  private static List<String> of(String name) {
    return UnboundVariables.find(BrokersOf.properties().variable(name, "s3cret").environment());
  }
}
