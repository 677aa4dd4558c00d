// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Counts by name, and tells of each name once. Memory is bounded: beyond {@value #NAMES_MAX} names
 * the rest is counted together. Thread-safe.
 */
final class NamedCounts {

  static final int NAMES_MAX = 1000;

  private static final String OTHERS = "others";

  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
  private final Consumer<String> first;

  /**
   * Creates it, with nothing counted.
   *
   * @param first is told of a name when it is first counted
   */
  NamedCounts(Consumer<String> first) {
    this.first = first;
  }

  void count(String name) {
    LongAdder count = counts.get(name);
    if (count == null) {
      String counted = counts.size() < NAMES_MAX ? name : OTHERS;
      count = counts.computeIfAbsent(counted, this::begin);
    }
    count.increment();
  }

  private LongAdder begin(String name) {
    first.accept(name);
    return new LongAdder();
  }

  Map<String, Long> counts() {
    Map<String, Long> now = new TreeMap<>();
    counts.forEach((name, count) -> now.put(name, count.sum()));
    return now;
  }
}
