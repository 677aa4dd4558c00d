// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.run;

import io.outledger.chaos.checker.Report;
import io.outledger.chaos.fault.Fault;
import io.outledger.chaos.fault.Incident;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What came of a run.
 *
 * @param report the verdict
 * @param incidents what was done
 * @param liveness how long it took until things went on
 * @param measured what was counted beside the verdict
 * @param brokenOff why the schedule could not be done to its end; empty if it was
 */
public record Outcome(
    Report report,
    List<Incident> incidents,
    Liveness liveness,
    Measured measured,
    Optional<String> brokenOff) {

  /**
   * What was counted beside the verdict.
   *
   * @param races how many messages both consumer groups had in their hands at the same time
   * @param leftAtHandover how many messages had been sent and not settled by owners that gave their
   *     lease back
   * @param moves how often the operator moved the subscription back
   * @param asked how much the operator asked for
   */
  public record Measured(long races, long leftAtHandover, long moves, Audit.Counts asked) {}

  /**
   * Says whether every promise held, in a run that was done to its end. What the broker lost counts
   * too: a broker that is only killed loses nothing, so a publisher that lies would look like that.
   */
  public boolean held() {
    return report.findings().isEmpty() && brokenOff.isEmpty();
  }

  /** Returns the incidents of each fault. */
  public Map<Fault, List<Incident>> byFault() {
    Map<Fault, List<Incident>> byFault = new EnumMap<>(Fault.class);
    for (Fault fault : Fault.values()) {
      List<Incident> some = incidents.stream().filter(one -> one.fault() == fault).toList();
      if (!some.isEmpty()) {
        byFault.put(fault, some);
      }
    }
    return byFault;
  }
}
