// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.errors.ConnectException;
import org.jspecify.annotations.Nullable;

/**
 * Checks settings, ours and those of Connect on which exactly-once and the records' bytes rest, and
 * tells everything that is wrong at once.
 */
final class SettingsCheck {

  private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";
  private static final List<String> CONVERTERS =
      List.of("key.converter", "value.converter", "header.converter");
  private static final String SUPPORT = "exactly.once.support";
  private static final String BOUNDARY = "transaction.boundary";
  private static final String TOLERANCE = "errors.tolerance";
  private static final String REQUEST_BYTES = "producer.override.max.request.size";
  private static final String CREATION = "topic.creation.";

  private SettingsCheck() {}

  /**
   * Returns each of our settings with its value and what is wrong with it, and then others with
   * which something is wrong. Asks nobody.
   */
  static List<ConfigValue> values(Map<String, String> given) {
    List<ConfigValue> values = ConnectorSettings.definition().validate(given);
    value(values, ConnectorSettings.DELIVERY)
        .ifPresent(value -> delivery(given).forEach(value::addErrorMessage));
    value(values, ConnectorSettings.TOPIC)
        .ifPresent(value -> converters(given).forEach(value::addErrorMessage));
    value(values, ConnectorSettings.URL)
        .filter(value -> value.errorMessages().isEmpty() && value.value() != null)
        .filter(value -> !DriverDataSource.hasDriver(String.valueOf(value.value())))
        .ifPresent(
            value ->
                value.addErrorMessage(
                    "no JDBC driver in the connector's folder takes database.url: check the URL, or"
                        + " add the driver's jar to the folder"));
    value(values, ConnectorSettings.RECORD_BYTES)
        .ifPresent(value -> recordBytes(value.value(), given).ifPresent(value::addErrorMessage));
    for (String name : UnknownSettings.of(given.keySet())) {
      values.add(
          wrong(
              name,
              given,
              "there is no setting " + name + ": check how it is written, or leave it out"));
    }
    if (isExactlyOnce(given)) {
      given.keySet().stream()
          .filter(name -> name.startsWith(CREATION))
          .sorted()
          .forEach(name -> values.add(wrong(name, given, creation(name))));
    }
    if ("all".equalsIgnoreCase(given.get(TOLERANCE))) {
      values.add(
          wrong(
              TOLERANCE,
              given,
              TOLERANCE
                  + " is all but must be none, its default: Connect would leave out a message that"
                  + " it cannot send, and the message would count as sent"));
    }
    return values;
  }

  /** Returns the same, and where nothing is wrong, what the database and Kafka answer. */
  static List<ConfigValue> tried(Map<String, String> given) {
    List<ConfigValue> values = values(given);
    if (values.stream().allMatch(value -> value.errorMessages().isEmpty())) {
      SettingsTrial.problems(ConnectorOptions.of(given))
          .forEach(
              (name, text) -> value(values, name).ifPresent(value -> value.addErrorMessage(text)));
    }
    return values;
  }

  private static ConfigValue wrong(String name, Map<String, String> given, String text) {
    return new ConfigValue(
        name, given.get(name), new ArrayList<>(), new ArrayList<>(List.of(text)));
  }

  /**
   * Checks settings that nobody may have validated.
   *
   * @throws ConnectException naming everything that is wrong
   */
  static void require(Map<String, String> given) {
    List<String> problems = new ArrayList<>();
    for (ConfigValue value : values(given)) {
      value.errorMessages().forEach(text -> problems.add(value.name() + ": " + text));
    }
    if (!problems.isEmpty()) {
      throw new ConnectException(
          "the connector's configuration is not valid: " + String.join("; ", problems));
    }
  }

  private static Optional<ConfigValue> value(List<ConfigValue> values, String name) {
    return values.stream().filter(value -> value.name().equals(name)).findFirst();
  }

  private static boolean isExactlyOnce(Map<String, String> given) {
    return !ConnectorSettings.AT_LEAST_ONCE.equals(given.get(ConnectorSettings.DELIVERY));
  }

  private static String creation(String name) {
    return name
        + " cannot be set with exactly-once: a message whose topic is missing is a dead letter, so"
        + " that it does not fail the task, and Connect would be asked for none. Create the topics"
        + " before, and remove the setting; or ask for delivery=at-least-once";
  }

  private static List<String> delivery(Map<String, String> given) {
    List<String> problems = new ArrayList<>();
    boolean isExactlyOnce = isExactlyOnce(given);
    if (isExactlyOnce && !"required".equalsIgnoreCase(given.get(SUPPORT))) {
      problems.add(
          "exactly-once needs "
              + SUPPORT
              + "=required in the connector's configuration, so that a worker without"
              + " exactly.once.source.support=enabled refuses it; or ask for"
              + " delivery=at-least-once");
    }
    if (isExactlyOnce && given.get(ConnectorSettings.BOOTSTRAP) == null) {
      problems.add(
          ConnectorSettings.BOOTSTRAP
              + " is missing: with exactly-once a topic that is missing would fail the task, so"
              + " topics are looked up");
    }
    if (!isWithoutKafka(given) && !"connector".equalsIgnoreCase(given.get(BOUNDARY))) {
      problems.add(
          BOUNDARY
              + " must be connector: a task says where a transaction ends, and learns by that"
              + " whether its worker commits in transactions; other workers pass over it");
    }
    return problems;
  }

  /** An embedded engine has no transactions, and formats of its own. */
  private static boolean isWithoutKafka(Map<String, String> given) {
    return given.get(ConnectorSettings.BOOTSTRAP) == null;
  }

  /** A record that the producer refuses fails the task, again after each restart. */
  private static Optional<String> recordBytes(@Nullable Object most, Map<String, String> given) {
    String ofProducer = given.get(REQUEST_BYTES);
    if (ofProducer == null
        || !ofProducer.matches("[0-9]{1,9}")
        || !(most instanceof Integer bytes)
        || bytes <= Integer.parseInt(ofProducer)) {
      return Optional.empty();
    }
    return Optional.of(
        ConnectorSettings.RECORD_BYTES
            + " is "
            + bytes
            + " but must not be more than "
            + REQUEST_BYTES
            + ", which is "
            + ofProducer
            + ": a larger record would fail the task instead of being parked");
  }

  private static List<String> converters(Map<String, String> given) {
    List<String> problems = new ArrayList<>();
    if (isWithoutKafka(given)) {
      return problems;
    }
    for (String converter : CONVERTERS) {
      if (!BYTES.equals(given.get(converter))) {
        problems.add(
            converter
                + " must be "
                + BYTES
                + ", since another one would change the message's bytes");
      }
    }
    return problems;
  }
}
