// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.jackson.JacksonSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

class PropertyProblemsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "outledger.relay",
        "outledger.subscriptions.orders",
        "outledger.receivers.billing"
      })
  void allThatIsWrongWithRetriesIsToldAtOnceAndTheCodeOnce(String path) {
    OutledgerProperties properties =
        BrokersOf.properties(
                path + ".attempts-max=0",
                path + ".backoff-first=-1s",
                path + ".backoff-max=-2s",
                "outledger.relay.tuning.page-messages=0",
                "outledger.receivers.billing.kafka.topics=orders",
                "outledger.receivers.billing.parked-max=0")
            .outledger();

    assertThatThrownBy(() -> PropertyProblems.check(properties))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll(
            path + ".attempts-max is 0, and must be 1 or more",
            path + ".backoff-first is -1 s, and must be more than zero",
            path + ".backoff-max is -2 s, and must be at least " + path + ".backoff-first, -1 s",
            "outledger.relay.tuning cannot be used: ",
            "outledger.receivers.billing.parked-max is 0, and must be 1 or more")
        .message()
        .containsOnlyOnce("OUT-021");
  }

  @ParameterizedTest
  @ValueSource(strings = {"first=10m", "max=500ms", "max=400d"})
  void aSubscriptionsBackOffIsCheckedWithWhatTheRelayHas(String property) {
    OutledgerProperties properties =
        BrokersOf.properties("outledger.subscriptions.orders.backoff-" + property).outledger();

    assertThatThrownBy(() -> PropertyProblems.check(properties))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(
            property.startsWith("first")
                ? "outledger.relay.backoff-max is 5 minutes, and must be at least"
                    + " outledger.subscriptions.orders.backoff-first, 10 minutes"
                : "outledger.subscriptions.orders.backoff-max is ");
  }

  @Test
  void partitionsAreANumberThatThereMayBeAndNeedConnectionsOfTheirOwn() {
    String path = "outledger.subscriptions.orders.partitions";
    String own = "outledger.relay.data-source=ofRelays";
    PropertyProblems.check(BrokersOf.properties(path + "=64", own).outledger());
    for (int wrong : new int[] {-1, 0, 65}) {
      assertThatThrownBy(
              () ->
                  PropertyProblems.check(BrokersOf.properties(path + "=" + wrong, own).outledger()))
          .hasMessageContaining(path + " is " + wrong + ", and must be 1 to 64");
    }
    assertThatThrownBy(() -> PropertyProblems.check(BrokersOf.properties(path + "=2").outledger()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll(path + " is 2, and each", "outledger.relay.data-source");
  }

  /** Boot gives each of the two the properties of both: everything would be published twice. */
  @Test
  void aVariableForANameWithADashMakesNoSecondPublisher() {
    OutledgerProperties properties =
        BrokersOf.properties("outledger.publishers.order-events.webhook.url=https://crm.example")
            .variable("OUTLEDGER_PUBLISHERS_ORDEREVENTS_WEBHOOK_SECRETS_0", "s3cret")
            .outledger();

    assertThat(properties.publishers()).containsOnlyKeys("order-events", "orderevents");
    assertThatThrownBy(() -> PropertyProblems.check(properties))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("outledger.publishers has both order-events and orderevents")
        .hasMessageContaining(
            "(OUTLEDGER_PUBLISHERS_ORDEREVENTS_...) sets properties of orderevents")
        .message()
        .doesNotContain("s3cret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "outledger.receivers.%s.kafka.topics=x",
        "outledger.receivers.%s.origin=x",
        "outledger.subscriptions.%s.attempts-max=3",
        "outledger.publishers.%s.kafka.topic=x"
      })
  void namesThatBootTakesForOneAreRefused(String property) {
    assertThatThrownBy(
            () ->
                PropertyProblems.check(
                    BrokersOf.properties(
                            property.formatted("orderEvents"), property.formatted("order-events"))
                        .outledger()))
        .hasMessageContaining("has both order-events and orderEvents");
  }

  @Test
  void aVariableForANameWithoutADashIsOfThatName() {
    OutledgerProperties properties =
        BrokersOf.properties("outledger.subscriptions.orderevents.attempts-max=3")
            .variable("OUTLEDGER_SUBSCRIPTIONS_ORDEREVENTS_BACKOFF_FIRST", "2s")
            .outledger();

    PropertyProblems.check(properties);
    assertThat(properties.subscriptions()).containsOnlyKeys("orderevents");
  }

  /** It would silently do nothing. */
  @ParameterizedTest
  @ValueSource(strings = {"strict=true", "check-at-start=true", "mapper=application"})
  void whatIsSaidOfJsonIsRefusedBesideASerializerOfOnesOwn(String said) {
    String property = "outledger.json." + said;
    BrokersOf application = BrokersOf.properties(property);
    application.bean("own", JacksonSerializer.create());
    assertThatThrownBy(
            () ->
                new OutledgerSetup(application.outledger(), application.beans())
                    .builder(new DriverManagerDataSource("jdbc:nowhere")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll(
            property.substring(0, property.indexOf('=')) + " has no effect", "JacksonSerializer");
  }
}
