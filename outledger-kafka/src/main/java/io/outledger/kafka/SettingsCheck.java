// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.Problems;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigValue;

/** Collects every problem of a client's settings, so that they can be fixed at once. */
final class SettingsCheck {

  private final String client;
  private final Map<String, String> settings = new HashMap<>();
  private final Problems problems;

  SettingsCheck(String client, Map<String, ?> given) {
    this.client = client;
    this.problems = Problems.of("invalid settings of the Kafka " + client);
    given.forEach(
        (name, value) -> {
          if (value == null) {
            problems.add(name + " is null");
          } else {
            settings.put(name, text(value));
          }
        });
  }

  private static String text(Object value) {
    if (value instanceof Class<?> type) {
      return type.getName();
    }
    if (value instanceof Collection<?> values) {
      return values.stream().map(SettingsCheck::text).collect(Collectors.joining(","));
    }
    return value.toString().trim();
  }

  /** Requires a list of addresses, each with a host and a port. */
  void addresses(String name) {
    String value = settings.getOrDefault(name, "");
    if (value.isBlank()) {
      problems.add(name + " is missing: give it as host:port,host:port");
      return;
    }
    for (String address : value.split(",", -1)) {
      if (!address.trim().matches(".*[^:]:[0-9]{1,5}")) {
        problems.add(name + " contains '" + address.trim() + "', which is not host:port");
      }
    }
  }

  /** Requires a text, not blank. */
  void required(String name, String why) {
    if (settings.getOrDefault(name, "").isBlank()) {
      problems.add(name + " is missing: " + why);
    }
  }

  /** Allows a setting to be absent or one value. */
  void only(String name, String value, String why) {
    String given = settings.get(name);
    boolean all = value.equals("all") && "-1".equals(given);
    if (given != null && !given.equalsIgnoreCase(value) && !all) {
      problems.add(name + " must be " + value + " (" + why + "); leave it out");
    }
  }

  /** Allows a setting to be absent or one of two values. */
  void oneOf(String name, String one, String other) {
    String given = settings.get(name);
    if (given != null && !given.equals(one) && !given.equals(other)) {
      problems.add(name + " must be " + one + " or " + other);
    }
  }

  /** Allows a setting to be absent or within a range. */
  void range(String name, int min, int max, String why) {
    String given = settings.get(name);
    // What is not a number is reported by Kafka's own check.
    if (given != null && given.matches("-?[0-9]{1,18}")) {
      long number = Long.parseLong(given);
      if (number < min || number > max) {
        problems.add(name + " must be " + min + " to " + max + " (" + why + ")");
      }
    }
  }

  /** Refuses a setting. */
  void absent(String name, String why) {
    if (settings.containsKey(name)) {
      problems.add(name + " must not be set (" + why + "); leave it out");
    }
  }

  /** Adds what Kafka finds wrong with the settings, each by itself, and misspelt names. */
  void kafka(ConfigDef definition) {
    new UnknownSettings(definition.names())
        .problems(client, settings.keySet())
        .forEach(problems::add);
    Map<String, String> known = new HashMap<>(settings);
    known.keySet().retainAll(definition.names());
    for (ConfigValue value : definition.validate(known)) {
      if (known.containsKey(value.name())) {
        // Kafka also complains that a value which it could not parse is null.
        value.errorMessages().stream().limit(1).forEach(problems::add);
      }
    }
  }

  /**
   * Ends the check.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} listing every problem
   */
  void done() {
    problems.refuse();
  }
}
