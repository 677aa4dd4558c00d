// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.run;

import io.outledger.chaos.fault.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/** The faults of a run, one after the other, in an order that comes from a seed. Used once. */
public final class Schedule implements Iterator<Fault> {

  private final BooleanSupplier hasNext;
  private final Iterator<Fault> faults;

  private Schedule(BooleanSupplier hasNext, Iterator<Fault> faults) {
    this.hasNext = hasNext;
    this.faults = faults;
  }

  /** Returns a schedule with this number of each fault, shuffled. */
  public static Schedule of(long seed, Map<Fault, Integer> counts) {
    List<Fault> faults = new ArrayList<>();
    for (Fault fault : Fault.values()) {
      faults.addAll(Collections.nCopies(counts.getOrDefault(fault, 0), fault));
    }
    Collections.shuffle(faults, new Random(seed));
    Iterator<Fault> iterator = faults.iterator();
    return new Schedule(iterator::hasNext, iterator);
  }

  /**
   * Returns a schedule of some faults, by their weights, that ends when the time is over, counted
   * from the first question for more. All of them come once before any comes twice.
   */
  public static Schedule during(long seed, Duration time, Set<Fault> faults) {
    Ending ending = new Ending(time);
    return new Schedule(ending::isOpen, new Weighted(new SplittableRandom(seed), faults));
  }

  @Override
  public boolean hasNext() {
    return hasNext.getAsBoolean();
  }

  /** Returns the next, also where the time has ended since it was asked whether there is one. */
  @Override
  public Fault next() {
    return faults.next();
  }

  private static final class Ending {
    private final Duration time;
    private long beganNanos;
    private boolean hasBegun;

    Ending(Duration time) {
      this.time = time;
    }

    boolean isOpen() {
      if (!hasBegun) {
        hasBegun = true;
        beganNanos = System.nanoTime();
      }
      return System.nanoTime() - beganNanos < time.toNanos();
    }
  }

  private static final class Weighted implements Iterator<Fault> {
    private final RandomGenerator random;
    private final List<Fault> faults;
    private final Iterator<Fault> first;

    Weighted(RandomGenerator random, Set<Fault> chosen) {
      this.random = random;
      this.faults = chosen.stream().sorted().toList();
      List<Fault> once = new ArrayList<>(faults);
      Collections.shuffle(once, new Random(random.nextLong()));
      this.first = once.iterator();
    }

    @Override
    public boolean hasNext() {
      return true;
    }

    @Override
    public Fault next() {
      if (first.hasNext()) {
        return first.next();
      }
      int left = random.nextInt(faults.stream().mapToInt(Fault::weight).sum());
      for (Fault fault : faults) {
        left -= fault.weight();
        if (left < 0) {
          return fault;
        }
      }
      throw new AssertionError("the weights do not add up");
    }
  }
}
