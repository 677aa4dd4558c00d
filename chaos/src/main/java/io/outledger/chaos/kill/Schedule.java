// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.kill;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The faults of a run, in an order that comes from a seed.
 *
 * @param seed the seed
 * @param faults what is done, one after the other
 */
public record Schedule(long seed, List<Fault> faults) {

  /** Copies the faults. */
  public Schedule {
    faults = List.copyOf(faults);
  }

  /** Returns a schedule with so many of each fault, mixed. */
  public static Schedule of(long seed, Map<Fault, Integer> counts) {
    List<Fault> faults = new ArrayList<>();
    for (Fault fault : Fault.values()) {
      faults.addAll(Collections.nCopies(counts.getOrDefault(fault, 0), fault));
    }
    Collections.shuffle(faults, new Random(seed));
    return new Schedule(seed, faults);
  }
}
