// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Measured values of one kind.
 *
 * @param sorted one or more
 */
record Spread(List<Double> sorted) {

  static <T> Spread of(Collection<T> measured, ToDoubleFunction<T> value) {
    return new Spread(measured.stream().map(value::applyAsDouble).sorted().toList());
  }

  double median() {
    return (sorted.get((sorted.size() - 1) / 2) + sorted.get(sorted.size() / 2)) / 2;
  }

  double min() {
    return sorted.get(0);
  }

  double max() {
    return sorted.get(sorted.size() - 1);
  }

  /** Returns the median, and in brackets the lowest and the highest. */
  String text(String format) {
    return String.format(
        Locale.ROOT, format + " (" + format + " to " + format + ")", median(), min(), max());
  }
}
