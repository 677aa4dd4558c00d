// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes what draining took as a table of Markdown, and as JSON. */
final class DrainTable {

  private static final String HEAD =
      """
      | | settings | waiting | messages a second | Outledger is | first message after, ms | \
      µs of processor a message: JVM, server | order per key |
      |---|---|---|---|---|---|---|---|
      """;

  private final Map<Entrant, List<Drained>> measured;

  DrainTable(Map<Entrant, List<Drained>> measured) {
    this.measured = measured;
  }

  String markdown() {
    return measured.entrySet().stream()
        .map(entry -> row(entry.getKey(), entry.getValue()))
        .collect(Collectors.joining("\n", HEAD, "\n"));
  }

  private String row(Entrant entrant, List<Drained> turns) {
    return String.format(
        Locale.ROOT,
        "| %s | %s | %,d | %s | %s | %,.0f | %.1f, %.1f | %s |",
        entrant.title(),
        entrant.settings(),
        turns.get(0).waiting(),
        perSecond(entrant).text("%,.0f"),
        faster(entrant),
        Spread.of(turns, Drained::startMillis).median(),
        Spread.of(turns, Drained::jvmMicrosPerMessage).median(),
        Spread.of(turns, Drained::serverMicrosPerMessage).median(),
        order(entrant, turns));
  }

  Spread perSecond(Entrant entrant) {
    return Spread.of(measured.getOrDefault(entrant, List.of()), Drained::perSecond);
  }

  /** How many times as fast as it Outledger is, where as much waits. */
  private String faster(Entrant entrant) {
    Entrant ours = measured.containsKey(entrant.likeIt()) ? entrant.likeIt() : Entrant.OUTLEDGER;
    if (!measured.containsKey(ours) || entrant == ours) {
      return "";
    }
    double ratio = perSecond(ours).median() / perSecond(entrant).median();
    return String.format(Locale.ROOT, ratio < 10 ? "× %.2f" : "× %,.0f", ratio);
  }

  private static String order(Entrant entrant, List<Drained> turns) {
    double reordered =
        Spread.of(turns, turn -> 100.0 * turn.reordered() / turn.published()).median();
    if (entrant.product().keepsOrder()) {
      return reordered == 0 ? "kept" : percent("**broken**", reordered);
    }
    return percent("not promised", reordered);
  }

  private static String percent(String word, double share) {
    return String.format(Locale.ROOT, "%s; %.1f %% came late", word, share);
  }

  String json() {
    return measured.entrySet().stream()
        .map(
            entry ->
                entry.getValue().stream()
                    .map(Drained::json)
                    .collect(
                        Collectors.joining(
                            ",\n      ", "\"" + entry.getKey().id() + "\": [\n      ", "]")))
        .collect(Collectors.joining(",\n    ", "{\n    ", "\n  }"));
  }
}
