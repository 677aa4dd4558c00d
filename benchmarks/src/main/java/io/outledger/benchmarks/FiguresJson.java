// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes figures as JSON, for machines. Every value is a number, so nothing needs escaping. */
final class FiguresJson {

  private FiguresJson() {}

  static String of(Figures figures) {
    return "{\n  " + String.join(",\n  ", fields(figures)) + "\n}\n";
  }

  private static List<String> fields(Figures figures) {
    return List.of(
        field("messages", "%d", figures.plan().messages()),
        field("page", "%d", RelayPlan.PAGE),
        field("rawPerSecond", "%.0f", figures.raw().median()),
        field("relayPerSecond", "%.0f", figures.relay().median()),
        field("ratio", "%.3f", figures.ratio()),
        field("heapMb", "%.1f", figures.heapMib()),
        field("walBytesPerMessage", "%.3f", figures.walBytesPerMessage()),
        field("deadTuples", "%d", deadTuples(figures.server())),
        field("latencySameJvmMs", "%s", percentiles(figures.latency().sameJvm())),
        field("latencyOtherProcessMs", "%s", percentiles(figures.latency().otherProcess())),
        field("appendRoundTrips", "%d", figures.cost().appendRoundTripsMax()),
        field("bytesPerMessage", "%.1f", figures.cost().bytesPerMessage()),
        field("bytesPerInboxRecord", "%.1f", figures.cost().bytesPerInboxRecord()),
        field("rounds", "[\n    %s\n  ]", rounds(figures)));
  }

  private static long deadTuples(Figures.Server server) {
    return server.deadLedgerTuples() + server.deadCursorTuples();
  }

  private static String percentiles(Sample millis) {
    return object(
        field("p50", "%.3f", millis.percentile(50)), field("p99", "%.3f", millis.percentile(99)));
  }

  private static String rounds(Figures figures) {
    return figures.rounds().stream().map(FiguresJson::round).collect(Collectors.joining(",\n    "));
  }

  private static String round(Figures.Round round) {
    return object(
        field("rawPerSecond", "%.0f", round.rawPerSecond()),
        field("relayPerSecond", "%.0f", round.relayPerSecond()),
        field("ratio", "%.3f", round.ratio()),
        field("heapMb", "%.1f", round.heapMib()),
        field("walBytes", "%d", round.walBytes()),
        field("saves", "%d", round.saves()));
  }

  private static String object(String... fields) {
    return "{" + String.join(", ", fields) + "}";
  }

  private static String field(String name, String format, Object value) {
    return "\"" + name + "\": " + String.format(Locale.ROOT, format, value);
  }
}
