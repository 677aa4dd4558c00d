// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.util.Arrays;
import java.util.Collection;

/** Measured values of one kind, one or more. Immutable. */
final class Sample {

  private final double[] sorted;

  private Sample(double[] sorted) {
    this.sorted = sorted;
  }

  static Sample of(Collection<? extends Number> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("nothing was measured");
    }
    return new Sample(values.stream().mapToDouble(Number::doubleValue).sorted().toArray());
  }

  double median() {
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  /** Returns a percentile: the smallest value not exceeded by this percentage of them. */
  double percentile(int percent) {
    int rank = (int) Math.ceil(sorted.length * percent / 100.0);
    return sorted[Math.max(1, rank) - 1];
  }

  double min() {
    return sorted[0];
  }

  double max() {
    return sorted[sorted.length - 1];
  }

  int size() {
    return sorted.length;
  }

  @Override
  public String toString() {
    return Arrays.toString(sorted);
  }
}
