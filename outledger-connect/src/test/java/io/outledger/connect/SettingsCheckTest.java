// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused before anything runs. */
class SettingsCheckTest {

  private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";

  private final Map<String, String> settings =
      new HashMap<>(
          Map.of(
              "exactly.once.support", "required",
              "transaction.boundary", "connector",
              "key.converter", BYTES,
              "value.converter", BYTES,
              "header.converter", BYTES,
              "ledger", "shop",
              "subscription", "kafka",
              "database.url", "jdbc:postgresql://127.0.0.1/x",
              "kafka.bootstrap.servers", "127.0.0.1:1"));

  private List<String> problems() {
    return SettingsCheck.values(settings).stream()
        .flatMap(value -> value.errorMessages().stream())
        .toList();
  }

  @Test
  void goodSettingsHaveNoProblem() {
    assertThat(problems()).isEmpty();
    SettingsCheck.require(settings);
  }

  @Test
  void everythingThatIsWrongIsListedAtOnce() {
    Map<String, String> wrong =
        Map.of(
            "subscription", "",
            "slots", "65",
            "topic", "a b",
            "heartbeat.topic", "my topic",
            "value.converter", "org.apache.kafka.connect.json.JsonConverter",
            "transaction.boundary", "interval",
            "database.url", "jdbc:nothing:x");
    settings.putAll(wrong);
    settings.remove("ledger");
    settings.remove("exactly.once.support");
    assertThatThrownBy(() -> new OutledgerSourceConnector().start(settings))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("subscription: ")
        .hasMessageContaining("slots: ")
        .hasMessageContaining("ledger: ")
        .hasMessageContaining("topic must have letters")
        .hasMessageContaining("heartbeat.topic: ")
        .hasMessageContaining("value.converter must be")
        .hasMessageContaining("transaction.boundary must be connector")
        .hasMessageContaining("no JDBC driver")
        .hasMessageContaining("exactly.once.support=required");
  }

  @ParameterizedTest
  @ValueSource(strings = {"key.converter", "value.converter", "header.converter"})
  void eachConverterMustLeaveTheBytes(String converter) {
    settings.put(converter, "org.apache.kafka.connect.json.JsonConverter");
    assertThat(problems()).singleElement().asString().startsWith(converter + " must be " + BYTES);
    settings.remove(converter);
    assertThat(problems()).singleElement().asString().startsWith(converter + " must be " + BYTES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"exactly-once", "at-least-once"})
  void theTaskSaysWhereATransactionEnds(String delivery) {
    settings.put("delivery", delivery);
    for (String boundary : List.of("interval", "INTERVAL", "poll")) {
      settings.put("transaction.boundary", boundary);
      assertThat(problems()).singleElement().asString().contains("must be connector");
    }
    settings.remove("transaction.boundary");
    assertThat(problems()).singleElement().asString().contains("must be connector");
    settings.put("transaction.boundary", "CONNECTOR");
    assertThat(problems()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "database.usr",
        "heartbeat.topics",
        "lease.millis",
        "kafka.bootstrap.server",
        "kafka.sasl.jas.config"
      })
  void aSettingThatBeginsLikeOursAndIsNoneIsRefusedByItsName(String misspelt) {
    settings.put(misspelt, "x");
    assertThat(SettingsCheck.values(settings))
        .filteredOn(value -> !value.errorMessages().isEmpty())
        .singleElement()
        .satisfies(value -> assertThat(value.name()).isEqualTo(misspelt))
        .satisfies(
            value ->
                assertThat(value.errorMessages())
                    .singleElement()
                    .asString()
                    .contains("there is no setting " + misspelt));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kafka.sasl.jaas.config",
        "kafka.ssl.truststore.location",
        "topic.prefix",
        "task.slots",
        "record.processing.threads",
        "transforms.route.type",
        "producer.override.max.block.ms"
      })
  void settingsOfOthersPass(String other) {
    settings.put(other, "x");
    assertThat(problems()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"exactly-once", "at-least-once"})
  void whatWouldLeaveMessagesOutIsRefused(String delivery) {
    settings.put("delivery", delivery);
    settings.put("errors.tolerance", "all");
    assertThat(problems()).singleElement().asString().contains("errors.tolerance is all");
    settings.put("errors.tolerance", "none");
    assertThat(problems()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"topic.creation.default.partitions", "topic.creation.groups"})
  void connectMayCreateTopicsOnlyAtLeastOnce(String creation) {
    settings.put(creation, "1");
    assertThat(problems())
        .singleElement()
        .asString()
        .startsWith(creation + " cannot be set with exactly-once")
        .contains("Create the topics before");
    settings.put("delivery", "at-least-once");
    assertThat(problems()).isEmpty();
  }

  @Test
  void whatTheProducerWouldRefuseIsParkedBefore() {
    settings.put("producer.override.max.request.size", "500000");
    assertThat(problems())
        .singleElement()
        .asString()
        .startsWith("record.bytes.max is 1000000 but must not be more than producer.override");
    settings.put("record.bytes.max", "500000");
    assertThat(problems()).isEmpty();
  }

  @Test
  void retentionIsLeftToOthersByOneNumberAlone() {
    settings.put("message.retention.ms", "-1");
    assertThat(problems()).isEmpty();
    settings.put("message.retention.ms", "-2");
    assertThat(problems()).singleElement().asString().contains("at least -1");
  }

  @Test
  void atLeastOnceNeedsNoSupport() {
    settings.remove("exactly.once.support");
    settings.put("delivery", "at-least-once");
    assertThat(problems()).isEmpty();
  }

  @Test
  void withoutKafkaNeitherServersNorConvertersAreNeededAtLeastOnce() {
    settings.remove("kafka.bootstrap.servers");
    settings.remove("value.converter");
    settings.remove("transaction.boundary");
    assertThat(problems()).anyMatch(problem -> problem.contains("kafka.bootstrap.servers"));
    settings.put("delivery", "at-least-once");
    assertThat(problems()).isEmpty();
  }

  @Test
  void thePasswordIsOne() {
    ConfigDef definition = new OutledgerSourceConnector().config();
    assertThat(definition.configKeys().values())
        .filteredOn(key -> key.name.equals("database.password"))
        .extracting(key -> key.type)
        .containsExactly(ConfigDef.Type.PASSWORD);
    assertThat(definition.configKeys().values())
        .allSatisfy(key -> assertThat(key.documentation).isNotBlank());
  }

  @Test
  void tasksShareTheSlots() {
    settings.put("slots", "5");
    OutledgerSourceConnector connector = new OutledgerSourceConnector();
    connector.start(settings);
    assertThat(connector.taskConfigs(2))
        .extracting(config -> config.get("task.slots"))
        .containsExactly("0,2,4", "1,3");
    assertThat(connector.taskConfigs(9)).hasSize(5);
  }

  @Test
  void anOffsetOfAnotherFormIsNotSet() {
    OutledgerSourceConnector connector = new OutledgerSourceConnector();
    Map<String, String> partition = Map.of("slot", "shop/kafka/0/1");
    Map<Map<String, ?>, Map<String, ?>> deleted = new HashMap<>();
    deleted.put(partition, null);
    deleted.put(Map.of("slot", "shop/kafka/3/4"), null); // of a former number of slots
    assertThat(connector.alterOffsets(settings, deleted)).isTrue();
    assertThatThrownBy(
            () -> connector.alterOffsets(settings, Map.of(partition, Map.of("high", "much"))))
        .hasMessageContaining("not of this connector");
    assertThatThrownBy(
            () -> connector.alterOffsets(settings, Map.of(Map.of("slot", "other"), Map.of())))
        .hasMessageContaining("shop/kafka/0/1");
  }
}
