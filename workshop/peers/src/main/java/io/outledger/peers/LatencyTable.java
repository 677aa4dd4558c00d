// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes how long messages took as a table of Markdown, and as JSON. */
final class LatencyTable {

  /** Messages a second. */
  static final List<Integer> RATES = List.of(50, 1_000);

  private static final String HEAD =
      """
      | commit to publisher%s, ms: | settings | 50 a second: p50 | p99 | 1,000 a second: p50 | p99 |
      |---|---|---|---|---|---|
      """;

  private final String where;
  private final Map<Entrant, Map<Integer, List<Latency>>> measured;

  private LatencyTable(String where, Map<Entrant, Map<Integer, List<Latency>>> measured) {
    this.where = where;
    this.measured = measured;
  }

  /** Makes that of who writes and publishes in one process. */
  static LatencyTable together(Map<Entrant, Map<Integer, List<Latency>>> measured) {
    return new LatencyTable("", measured);
  }

  /** Makes that of who publishes what another process writes. */
  static LatencyTable apart(Map<Entrant, Map<Integer, List<Latency>>> measured) {
    return new LatencyTable(" in another process", measured);
  }

  /** Returns where the publisher is, as the end of a phrase; empty for the writer's process. */
  String where() {
    return where;
  }

  Set<Entrant> entrants() {
    return measured.keySet();
  }

  String markdown() {
    return measured.keySet().stream()
        .map(this::row)
        .collect(Collectors.joining("\n", HEAD.formatted(where), "\n"));
  }

  private String row(Entrant entrant) {
    String figures =
        RATES.stream().map(rate -> figures(entrant, rate)).collect(Collectors.joining(" | "));
    return "| %s | %s | %s |".formatted(entrant.title(), entrant.settings(), figures);
  }

  private String figures(Entrant entrant, int rate) {
    double missing = Spread.of(of(entrant, rate), Latency::missing).median();
    if (missing > 0) {
      return String.format(Locale.ROOT, "falls behind | %,.0f not there after 20 s", missing);
    }
    return Spread.of(of(entrant, rate), Latency::p50).text("%,.2f")
        + " | "
        + Spread.of(of(entrant, rate), Latency::p99).text("%,.2f");
  }

  List<Latency> of(Entrant entrant, int rate) {
    return measured.getOrDefault(entrant, Map.of()).getOrDefault(rate, List.of());
  }

  String json() {
    return measured.entrySet().stream()
        .map(entry -> "\"" + entry.getKey().id() + "\": [\n      " + turns(entry.getValue()) + "]")
        .collect(Collectors.joining(",\n    ", "{\n    ", "\n  }"));
  }

  private static String turns(Map<Integer, List<Latency>> rates) {
    return rates.entrySet().stream()
        .flatMap(entry -> entry.getValue().stream().map(latency -> turn(entry.getKey(), latency)))
        .collect(Collectors.joining(",\n      "));
  }

  private static String turn(int perSecond, Latency latency) {
    Reply reply = new Reply();
    latency.addTo(reply, perSecond);
    return reply.json();
  }
}
