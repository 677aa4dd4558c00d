// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/** The names of all properties, read from their records. */
final class PropertyNames {

  /**
   * How other outboxes call what these properties mean, where they differ; the last words count.
   */
  private static final Map<String, List<String>> ELSEWHERE =
      Map.ofEntries(
          Map.entry(
              "outledger.relay.attempts-max",
              List.of("max-retries", "max-attempts", "block-after-attempts")),
          Map.entry("outledger.relay.backoff-first", List.of("initial-delay", "base-delay")),
          Map.entry("outledger.relay.backoff-max", List.of("max-delay")),
          Map.entry(
              "outledger.relay.poll-interval",
              List.of("fixed.interval", "poll-min-interval", "processor.interval")),
          Map.entry(
              "outledger.relay.lease",
              List.of("stale-instance-timeout", "heartbeat-interval", "bucket-lease", "row-lease")),
          Map.entry("outledger.relay.enabled", List.of("externalization.enabled", "publish-only")),
          Map.entry(
              "outledger.handlers.concurrency",
              List.of("executor-core-pool-size", "handler-pool-size", "workers-per-instance")),
          Map.entry(
              "outledger.retention.messages",
              List.of(
                  "delete-completed-records",
                  "completion-mode",
                  "relay.retention",
                  "purger.retention",
                  "retention-threshold")),
          Map.entry("outledger.schema", List.of("schema-name", "storage.schema", "jdbc.schema")),
          Map.entry(
              "outledger.schema-initialization",
              List.of("schema-initialization.enabled", "initialize-schema", "migrate")));

  /** Where the settings of the publisher named kafka were once. */
  private static final String FORMER_KAFKA = "outledger.kafka.";

  private PropertyNames() {}

  static List<String> all() {
    return like("outledger");
  }

  /** Returns all names, with those below the same map entries as in another one. */
  private static List<String> like(String given) {
    List<String> names = new ArrayList<>();
    add("outledger", OutledgerProperties.class, given, names);
    return names;
  }

  /** Returns the first words of all properties, such as {@code relay}. */
  static Set<String> groups() {
    Set<String> groups = new TreeSet<>();
    all().forEach(name -> groups.add(name.split("\\.", -1)[1]));
    return groups;
  }

  private static void add(String prefix, Class<?> type, String given, List<String> names) {
    for (RecordComponent component : type.getRecordComponents()) {
      String name = prefix + "." + dashed(component.getName());
      Class<?> entry = entryType(component);
      if (component.getType().isRecord()) {
        add(name, component.getType(), given, names);
      } else if (entry.isRecord() && given.startsWith(name + ".")) {
        String rest = given.substring(name.length() + 1);
        int end = rest.indexOf('.');
        add(name + "." + (end < 0 ? rest : rest.substring(0, end)), entry, given, names);
      } else {
        names.add(ConfigurationPropertyName.of(name).toString());
      }
    }
  }

  /** Returns the type of a map's values; that of the component if it is no map. */
  private static Class<?> entryType(RecordComponent component) {
    return component.getGenericType() instanceof ParameterizedType map
            && component.getType() == Map.class
            && map.getActualTypeArguments()[1] instanceof Class<?> value
        ? value
        : component.getType();
  }

  /** Returns a name as Boot compares it: in lower case, without dashes and other signs. */
  static String uniform(String name) {
    StringBuilder uniform = new StringBuilder();
    name.toLowerCase(Locale.ROOT)
        .chars()
        .filter(Character::isLetterOrDigit)
        .forEach(letter -> uniform.append((char) letter));
    return uniform.toString();
  }

  /**
   * Returns whether there is a property that an environment variable sets: its words, in capitals,
   * with or without underlines in the place of dashes, and with the numbers of a list's entries.
   */
  static boolean isSetBy(String variable) {
    String[] words = variable.toLowerCase(Locale.ROOT).split("_", -1);
    String entry = words.length < 3 ? "outledger" : "outledger." + words[1] + "." + words[2] + ".";
    String plain = variable.replaceAll("(_[0-9]+)+$", "");
    return like(entry).stream()
        .anyMatch(
            name ->
                isSetBy(variable(name), plain, name)
                    || isSetBy(variable(name.replace('-', '.')), plain, name));
  }

  private static boolean isSetBy(String form, String variable, String name) {
    return variable.equals(form) || (isOpen(name) && variable.startsWith(form + "_"));
  }

  /** Says whether anything may follow the name: the settings of a client, or headers. */
  private static boolean isOpen(String name) {
    return name.endsWith(".properties") || name.endsWith(".headers");
  }

  /** Returns the environment variable that sets a property. */
  static String variable(String name) {
    return name.replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT);
  }

  private static String dashed(String name) {
    return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  static Set<String> elsewhere() {
    return ELSEWHERE.keySet();
  }

  /**
   * Returns the property that was probably meant: what users know from elsewhere, or the nearest.
   */
  /** A variable has no hyphens: they are left out, or are underscores like the dots. */
  private static boolean endsWith(String name, String end) {
    return name.endsWith('.' + end)
        || name.endsWith('.' + end.replace("-", ""))
        || name.endsWith('.' + end.replace('-', '.'));
  }

  static String meant(String name) {
    if (name.startsWith(FORMER_KAFKA)) {
      String setting = name.substring(FORMER_KAFKA.length());
      return "outledger.publishers.kafka."
          + (setting.equals("source")
              ? setting
              : "kafka." + (setting.equals("topic-prefix") ? "topic" : setting));
    }
    return ELSEWHERE.entrySet().stream()
        .filter(entry -> entry.getValue().stream().anyMatch(end -> endsWith(name, end)))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseGet(() -> nearestByWords(name));
  }

  /**
   * Returns the property that is nearest. If the first word is a known one, or if fewer than half
   * of its letters are wrong, only properties that begin with it count.
   */
  private static String nearestByWords(String name) {
    String[] words = name.split("\\.", 3);
    String group = nearest(words[1], groups());
    if (words.length < 3 || distance(words[1], group) * 2 >= words[1].length()) {
      return nearest(name, like(name));
    }
    String meant = "outledger." + group + "." + words[2];
    return nearest(meant, like(meant).stream().filter(each -> isBelow(each, group)).toList());
  }

  private static boolean isBelow(String name, String group) {
    return (name + ".").startsWith("outledger." + group + ".");
  }

  /** Returns the one of some names that is most like another. */
  static String nearest(String name, Collection<String> known) {
    return known.stream()
        .min(Comparator.comparingInt(each -> distance(name, each)))
        .orElse("another");
  }

  /** Returns how many letters have to be added, removed or changed to get from one to the other. */
  static int distance(String from, String to) {
    int[] above = new int[to.length() + 1];
    for (int column = 0; column <= to.length(); column++) {
      above[column] = column;
    }
    for (int row = 1; row <= from.length(); row++) {
      int[] line = new int[to.length() + 1];
      line[0] = row;
      for (int column = 1; column <= to.length(); column++) {
        int changed = from.charAt(row - 1) == to.charAt(column - 1) ? 0 : 1;
        line[column] =
            Math.min(
                Math.min(line[column - 1] + 1, above[column] + 1), above[column - 1] + changed);
      }
      above = line;
    }
    return above[to.length()];
  }
}
