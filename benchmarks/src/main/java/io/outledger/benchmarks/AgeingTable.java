// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The ageing benchmark's figures, for people and for machines. */
final class AgeingTable {

  private final Map<Burden, List<AgedDrain.Drained>> measured;

  AgeingTable(Map<Burden, List<AgedDrain.Drained>> measured) {
    this.measured = measured;
  }

  String text() {
    return measured.keySet().stream().map(this::line).collect(Collectors.joining());
  }

  private String line(Burden burden) {
    Sample rate = sample(burden, AgedDrain.Drained::perSecond);
    return String.format(
        Locale.ROOT,
        "%-32s %,9.0f messages a second (%,.0f to %,.0f), %.2f of fresh; %,.0f idle polls a"
            + " second; save p50 %.2f ms, p99 %.2f ms, %.2f and %.2f times as long as fresh%n",
        burden.label(),
        rate.median(),
        rate.min(),
        rate.max(),
        ratio(burden),
        sample(burden, AgedDrain.Drained::polls).median(),
        sample(burden, AgeingTable::p50).median(),
        sample(burden, AgeingTable::p99).median(),
        ofFresh(burden, AgeingTable::p50),
        ofFresh(burden, AgeingTable::p99));
  }

  private static double p50(AgedDrain.Drained drained) {
    return drained.save().p50();
  }

  private static double p99(AgedDrain.Drained drained) {
    return drained.save().p99();
  }

  double ratio(Burden burden) {
    return ofFresh(burden, AgedDrain.Drained::perSecond);
  }

  private double ofFresh(Burden burden, ToDoubleFunction<AgedDrain.Drained> value) {
    return sample(burden, value).median() / sample(Burden.NONE, value).median();
  }

  String json() {
    return measured.entrySet().stream()
        .map(entry -> object(entry.getKey(), entry.getValue()))
        .collect(Collectors.joining(",\n  ", "{\n  ", "\n}\n"));
  }

  private String object(Burden burden, List<AgedDrain.Drained> drained) {
    String samples =
        drained.stream()
            .map(one -> String.format(Locale.ROOT, "%.0f", one.perSecond()))
            .collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT,
        "\"%s\": {\"perSecond\": [%s], \"ofFresh\": %.3f, \"idlePollsPerSecond\": %.0f,"
            + " \"saveP50\": %.3f, \"saveP99\": %.3f}",
        burden.name().toLowerCase(Locale.ROOT),
        samples,
        ratio(burden),
        sample(burden, AgedDrain.Drained::polls).median(),
        sample(burden, AgeingTable::p50).median(),
        sample(burden, AgeingTable::p99).median());
  }

  private Sample sample(Burden burden, ToDoubleFunction<AgedDrain.Drained> value) {
    return Sample.of(
        measured.getOrDefault(burden, List.of()).stream().map(value::applyAsDouble).toList());
  }
}
