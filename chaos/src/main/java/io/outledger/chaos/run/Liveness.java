// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.run;

import io.outledger.chaos.fault.Fault;
import io.outledger.chaos.fault.Incident;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How long it took until things went on. Measured, and not judged: a machine that is busy is slow.
 *
 * @param waits what was waited for
 */
public record Liveness(List<Wait> waits) {

  /** Copies. */
  public Liveness {
    waits = List.copyOf(waits);
  }

  /**
   * One kind of waiting.
   *
   * @param name what for
   * @param goalMs how long it should take at most on a machine that does nothing else
   * @param withinGoal how many took no longer
   * @param medianMs the median
   * @param maxMs the longest
   * @param count how many there were
   */
  public record Wait(
      String name, long goalMs, int withinGoal, long medianMs, long maxMs, int count) {

    /**
     * Returns what some waits of one kind have shown.
     *
     * @param waits in milliseconds, in any order, at least one
     */
    public static Wait of(String name, Duration goal, List<Long> waits) {
      long[] sorted = waits.stream().mapToLong(Long::longValue).sorted().toArray();
      return new Wait(
          name,
          goal.toMillis(),
          (int) waits.stream().filter(wait -> wait <= goal.toMillis()).count(),
          sorted[sorted.length / 2],
          sorted[sorted.length - 1],
          sorted.length);
    }
  }

  static Liveness of(List<Incident> incidents, EndState end, Duration lease) {
    List<Wait> waits = new ArrayList<>();
    add(
        waits,
        "owner killed → successor has the lease",
        lease.plusSeconds(1),
        successors(incidents, end));
    add(
        waits,
        "lease given back → successor has it",
        Duration.ofSeconds(1),
        handovers(incidents, end));
    add(
        waits,
        "database back → first message in the broker",
        Duration.ofSeconds(2),
        backs(Fault.DATABASE_KILLED, incidents, end));
    add(
        waits,
        "broker back → first message in the broker",
        Duration.ofSeconds(5),
        backs(Fault.BROKER_KILLED, incidents, end));
    return new Liveness(waits);
  }

  private static void add(List<Wait> waits, String name, Duration limit, List<Long> found) {
    if (!found.isEmpty()) {
      waits.add(Wait.of(name, limit, found));
    }
  }

  private static List<Long> successors(List<Incident> incidents, EndState end) {
    List<Long> found = new ArrayList<>();
    for (Incident kill : of(Fault.RELAY_KILLED, incidents)) {
      end.handovers().stream()
          .filter(row -> row.isTaken() && row.atMs() > kill.beganMs())
          .findFirst()
          .ifPresent(row -> found.add(row.atMs() - kill.beganMs()));
    }
    return found;
  }

  private static List<Long> handovers(List<Incident> incidents, EndState end) {
    List<Long> found = new ArrayList<>();
    for (Incident stop : of(Fault.OWNER_STOPPED, incidents)) {
      long[] rows =
          end.handovers().stream()
              .filter(row -> row.atMs() >= stop.beganMs())
              .mapToLong(EndState.Handover::atMs)
              .limit(2)
              .toArray();
      if (rows.length == 2) {
        found.add(rows[1] - rows[0]);
      }
    }
    return found;
  }

  private static List<Long> backs(Fault fault, List<Incident> incidents, EndState end) {
    return of(fault, incidents).stream()
        .mapToLong(incident -> end.times().firstSince(incident.endedMs()) - incident.endedMs())
        .filter(ms -> ms >= 0)
        .boxed()
        .toList();
  }

  private static List<Incident> of(Fault fault, List<Incident> incidents) {
    return incidents.stream().filter(one -> one.fault() == fault).toList();
  }
}
