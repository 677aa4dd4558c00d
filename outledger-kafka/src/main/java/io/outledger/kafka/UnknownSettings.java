// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds settings whose names Kafka does not know. Kafka ignores such settings, because interceptors
 * and other plug-ins may read names of their own. A name that is almost Kafka's is taken for a
 * misspelling; any other is logged.
 */
final class UnknownSettings {

  private static final Logger LOG = LoggerFactory.getLogger(UnknownSettings.class);

  // Below this length, two letters more or less make another word: acks, retries.
  private static final int SHORT = 8;

  private final Set<String> known;

  /** Takes the names that the client knows. */
  UnknownSettings(Set<String> known) {
    this.known = known;
  }

  /**
   * The names of all clients, since one map often configures several. It is loaded for a name that
   * a client does not know: the classes of the others take a noticeable part of a start.
   */
  private static final class AnyClient {

    private static final Set<String> NAMES = names();

    private static Set<String> names() {
      Set<String> names = new HashSet<>(ProducerConfig.configNames());
      names.addAll(ConsumerConfig.configNames());
      names.addAll(AdminClientConfig.configNames());
      return names;
    }
  }

  /**
   * Makes one client's settings another's: leaves out what the other does not know, except for what
   * no client knows, which a plug-in may read, such as one for TLS.
   *
   * @param known the names that the other client knows
   * @param own the names that the client knows whose settings they are
   */
  static void retain(Set<String> known, Set<String> own, Map<String, Object> settings) {
    settings
        .keySet()
        .removeIf(
            name ->
                !known.contains(name) && (own.contains(name) || AnyClient.NAMES.contains(name)));
  }

  private boolean isOfNoClient(String name) {
    return !known.contains(name) && !AnyClient.NAMES.contains(name);
  }

  /** Returns the problems of misspelt names, and logs names that may belong to a plug-in. */
  List<String> problems(String client, Set<String> given) {
    List<String> problems = new ArrayList<>();
    for (String name : given.stream().filter(this::isOfNoClient).sorted().toList()) {
      String nearest = nearest(name);
      if (distance(spelt(name), nearest) <= (name.length() < SHORT ? 1 : 2)) {
        problems.add("Kafka has no setting " + name + "; did you mean " + nearest + "?");
      } else if (!name.startsWith("metrics.context.") && !name.startsWith("outledger.")) {
        LOG.warn(
            "the Kafka {} has no setting {}; Kafka ignores it unless a plug-in reads it. The"
                + " nearest name is {}",
            client,
            name,
            nearest);
      }
    }
    return problems;
  }

  private String nearest(String name) {
    return known.stream()
        .min(
            Comparator.comparingInt((String other) -> distance(spelt(name), other))
                .thenComparing(Comparator.naturalOrder()))
        .orElseThrow();
  }

  private static String spelt(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', '.').replace('-', '.');
  }

  /** Returns how many letters have to be added, removed or replaced; one row at a time. */
  private static int distance(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int column = 0; column <= to.length(); column++) {
      row[column] = column;
    }
    for (int line = 1; line <= from.length(); line++) {
      int diagonal = row[0];
      row[0] = line;
      for (int column = 1; column <= to.length(); column++) {
        int replaced = diagonal + (from.charAt(line - 1) == to.charAt(column - 1) ? 0 : 1);
        diagonal = row[column];
        row[column] = Math.min(replaced, 1 + Math.min(row[column], row[column - 1]));
      }
    }
    return row[to.length()];
  }
}
