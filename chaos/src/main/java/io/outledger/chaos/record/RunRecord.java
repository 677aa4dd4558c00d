// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.record;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.outledger.chaos.database.Product;
import io.outledger.chaos.fault.Fault;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What one run has shown, as one line of JSON. Every kind of run has {@code kind}, {@code at},
 * {@code command}, {@code held}, {@code versions} and {@code trials}, how many of what; the rest is
 * of its kind. A person adds {@code about} to a run that failed, and {@code cause}: {@code product}
 * or {@code test}.
 *
 * @param node the line
 */
public record RunRecord(JsonNode node) {

  /** The trial that a message was in two hands of an inbox at once. */
  public static final String RACE = "inbox-race";

  /** The name, in trials, of moves of the subscription by the operator. */
  public static final String MOVE = "moved-back";

  /** A request of an operator that has its one row in the audit. */
  public static final String REQUEST = "request";

  /** One that was asked for again with its id, by an operator who got no answer or was killed. */
  public static final String ASKED_AGAIN = "request-asked-again";

  /** A replay of single messages, each of which was delivered again. */
  public static final String REPLAY = "replay";

  /** How the trials begin of an operator's requests that were done, one kind for each verb. */
  public static final String VERB = "request-to-";

  /** How many minutes a run with every fault has lasted. */
  public static final String RANDOM_MINUTES = "random-minutes";

  /** A simulated history. */
  public static final String SEED = "simulation-seed";

  /** A saga that lived through kills, and ended as it must. */
  public static final String SAGA = "saga";

  /** A process that was killed with sagas under way. */
  public static final String SAGA_KILL = "saga-process-killed";

  /** The database, killed with sagas under way. */
  public static final String SAGA_DATABASE_KILL = "saga-database-killed";

  /** A scheduled message of which every promise held, whatever was killed. */
  public static final String SCHEDULED = "scheduled-message";

  /** A process that was killed while messages waited for their time. */
  public static final String SCHEDULED_KILL = "scheduled-process-killed";

  /** One of these that had the lease to move them. */
  public static final String SCHEDULED_MOVER_KILL = "scheduled-mover-killed";

  /** The database, killed while messages waited for their time. */
  public static final String SCHEDULED_DATABASE_KILL = "scheduled-database-killed";

  /** How the trials begin of processes that had partitions. */
  static final String PARTITIONS = "partition-process-";

  /** How the trials of {@code proof/connect} begin. */
  static final String CONNECT = "connect-";

  private static final Set<Fault> BY_PRODUCT = EnumSet.of(Fault.DATABASE_KILLED, Fault.RESTORED);

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Returns the name of a fault on a database: servers that are killed, and dumps, are counted by
   * their product, since each must keep its own promises.
   */
  public static String fault(Fault fault, Product product) {
    return product == Product.POSTGRESQL || !BY_PRODUCT.contains(fault)
        ? fault.word()
        : product.word() + "-" + fault.word().substring(fault.word().lastIndexOf('-') + 1);
  }

  /** Says whether this is such a name. */
  static boolean isFault(String word) {
    return Arrays.stream(Product.values())
        .flatMap(product -> Fault.on(product).stream().map(fault -> fault(fault, product)))
        .anyMatch(word::equals);
  }

  /** Reads a line. */
  static RunRecord read(String line) {
    try {
      return new RunRecord(JSON.readTree(line));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a record: " + line, e);
    }
  }

  /** Returns it as one line. */
  public String json() {
    return node.toString();
  }

  boolean held() {
    return node.path("held").asBoolean();
  }

  /** Says whether the failure was the test's own, so that it says nothing of the product. */
  boolean isFailureOfTest() {
    return !held() && text("cause").equals("test");
  }

  String text(String field) {
    return node.path(field).asText();
  }

  long number(String part, String field) {
    return node.path(part).path(field).asLong();
  }

  /** Returns how many of what were tried. */
  Map<String, Long> trials() {
    Map<String, Long> trials = new LinkedHashMap<>();
    node.path("trials")
        .properties()
        .forEach(one -> trials.put(one.getKey(), one.getValue().asLong()));
    return trials;
  }
}
