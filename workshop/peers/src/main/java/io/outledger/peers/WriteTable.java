// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Writes what writing took as a table of Markdown, and as JSON. */
final class WriteTable {

  private static final Load SINGLE = new Load(1, 1);
  private static final Load TEN = new Load(1, 10);

  private static final String HEAD =
      """
      | transactions a second: \
      | 1 message, 1 thread | 1 message, 4 threads \
      | 10 messages, 1 thread | 10 messages, 4 threads \
      | round trips (1, 10) | log and disk, bytes a message (of ten) |
      |---|---|---|---|---|---|---|
      """;

  private final Map<Entrant, List<Written>> measured;

  WriteTable(Map<Entrant, List<Written>> measured) {
    this.measured = measured;
  }

  String markdown() {
    return measured.keySet().stream().map(this::row).collect(Collectors.joining("\n", HEAD, "\n"));
  }

  private String row(Entrant entrant) {
    String rates =
        Written.LOADS.stream()
            .map(load -> perSecond(entrant, load).text("%,.0f"))
            .collect(Collectors.joining(" | "));
    return String.format(
        Locale.ROOT,
        "| %s | %s | %.0f, %.0f | %s |",
        title(entrant),
        rates,
        of(entrant, SINGLE, Written::roundTrips).median(),
        of(entrant, TEN, Written::roundTrips).median(),
        bytes(entrant));
  }

  static String title(Entrant entrant) {
    return switch (entrant) {
      case TUTORIAL -> "one more plain INSERT";
      case OUTLEDGER -> "Outledger, in a transaction of its own";
      case OUTLEDGER_JOINED -> "Outledger, in the application's transaction";
      default -> entrant.title();
    };
  }

  /** Beyond those of the business alone. */
  private String bytes(Entrant entrant) {
    if (entrant == Entrant.BUSINESS_ALONE || !measured.containsKey(Entrant.BUSINESS_ALONE)) {
      return "";
    }
    return String.format(
        Locale.ROOT,
        "%.0f, %.0f",
        more(entrant, Written::walBytes),
        more(entrant, Written::diskBytes));
  }

  private double more(Entrant entrant, ToDoubleFunction<Written> value) {
    double alone = of(Entrant.BUSINESS_ALONE, TEN, value).median();
    return (of(entrant, TEN, value).median() - alone) / TEN.messages();
  }

  Spread perSecond(Entrant entrant, Load load) {
    return of(entrant, load, Written::perSecond);
  }

  private Spread of(Entrant entrant, Load load, ToDoubleFunction<Written> value) {
    return Spread.of(
        measured.getOrDefault(entrant, List.of()).stream()
            .filter(written -> written.load().equals(load))
            .toList(),
        value);
  }

  String json() {
    return measured.entrySet().stream()
        .map(
            entry ->
                entry.getValue().stream()
                    .map(WriteTable::reply)
                    .map(Reply::json)
                    .collect(
                        Collectors.joining(
                            ",\n      ", "\"" + entry.getKey().id() + "\": [\n      ", "]")))
        .collect(Collectors.joining(",\n    ", "{\n    ", "\n  }"));
  }

  private static Reply reply(Written written) {
    Reply reply = new Reply();
    written.addTo(reply);
    return reply;
  }
}
