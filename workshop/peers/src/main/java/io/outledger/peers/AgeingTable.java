// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes what entrants did fresh and under each burden as a table of Markdown, and as JSON. */
final class AgeingTable {

  private static final String HEAD =
      """
      | | burden | messages a second | of fresh | save, ms: p50 | p99 | as fast as fresh: p50, p99 |
      |---|---|---|---|---|---|---|
      """;

  private final Map<Entrant, Map<EntrantBurden, List<Aged>>> measured;

  AgeingTable(Map<Entrant, Map<EntrantBurden, List<Aged>>> measured) {
    this.measured = measured;
  }

  Collection<Entrant> entrants() {
    return measured.keySet();
  }

  String markdown() {
    return measured.keySet().stream()
        .flatMap(
            entrant -> Stream.of(EntrantBurden.values()).flatMap(burden -> row(entrant, burden)))
        .collect(Collectors.joining("\n", HEAD, "\n"));
  }

  private Stream<String> row(Entrant entrant, EntrantBurden burden) {
    String title = entrant.product().title() + " | " + burden.label();
    if (!burden.isCarriedBy(entrant)) {
      return Stream.of("| " + title + " | deletes what it has published | | | | |");
    }
    return of(entrant, burden).isEmpty()
        ? Stream.empty()
        : Stream.of("| " + title + " | " + figures(entrant, burden));
  }

  private String figures(Entrant entrant, EntrantBurden burden) {
    return String.format(
        Locale.ROOT,
        "%s | %.2f | %s | %s | %.2f, %.2f |",
        perSecond(entrant, burden).text("%,.0f"),
        ofFresh(entrant, burden, Aged::perSecond),
        spread(entrant, burden, Aged::saveP50).text("%.2f"),
        spread(entrant, burden, Aged::saveP99).text("%.2f"),
        // Half as fast is what takes twice as long.
        1 / ofFresh(entrant, burden, Aged::saveP50),
        1 / ofFresh(entrant, burden, Aged::saveP99));
  }

  /** Returns all that was measured of one under a burden; empty where there is nothing. */
  List<Aged> of(Entrant entrant, EntrantBurden burden) {
    return measured.getOrDefault(entrant, Map.of()).getOrDefault(burden, List.of());
  }

  Spread perSecond(Entrant entrant, EntrantBurden burden) {
    return spread(entrant, burden, Aged::perSecond);
  }

  private double ofFresh(Entrant entrant, EntrantBurden burden, ToDoubleFunction<Aged> value) {
    return spread(entrant, burden, value).median()
        / spread(entrant, EntrantBurden.NONE, value).median();
  }

  private Spread spread(Entrant entrant, EntrantBurden burden, ToDoubleFunction<Aged> value) {
    return Spread.of(of(entrant, burden), value);
  }

  String json() {
    return measured.entrySet().stream()
        .map(entry -> "\"" + entry.getKey().id() + "\": " + json(entry.getValue()))
        .collect(Collectors.joining(",\n    ", "{\n    ", "\n  }"));
  }

  private static String json(Map<EntrantBurden, List<Aged>> burdens) {
    return burdens.entrySet().stream()
        .map(
            entry ->
                entry.getValue().stream()
                    .map(aged -> aged.reply().json())
                    .collect(
                        Collectors.joining(
                            ",\n        ", "\"" + entry.getKey().brief() + "\": [", "]")))
        .collect(Collectors.joining(",\n      ", "{\n      ", "}"));
  }
}
