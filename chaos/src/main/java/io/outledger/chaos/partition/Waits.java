// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.partition;

import io.outledger.chaos.run.Liveness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** How long others took to have what a process had, by what happened to it. Not thread-safe. */
final class Waits {

  private final Map<Mishap, List<Duration>> times = new EnumMap<>(Mishap.class);
  private final Map<Mishap, Integer> met = new EnumMap<>(Mishap.class);

  /** Takes one; it counts as a trial if it met work that was under way. */
  void add(Mishap mishap, Duration took, long underWay) {
    times.computeIfAbsent(mishap, each -> new ArrayList<>()).add(took);
    if (underWay > 0) {
      met.merge(mishap, 1, Integer::sum);
    }
  }

  /** Returns how many mishaps of each kind met work that was under way. */
  Map<Mishap, Integer> met() {
    return met;
  }

  /**
   * Returns what the waits of each kind have shown.
   *
   * @param partitions how many there were at first
   */
  List<Liveness.Wait> measured(int partitions) {
    return times.entrySet().stream()
        .map(each -> measured(each.getKey(), partitions, each.getValue()))
        .toList();
  }

  private static Liveness.Wait measured(Mishap mishap, int partitions, List<Duration> times) {
    List<Long> millis = times.stream().map(Duration::toMillis).toList();
    return Liveness.Wait.of(mishap.wait(partitions), mishap.goal(), millis);
  }
}
