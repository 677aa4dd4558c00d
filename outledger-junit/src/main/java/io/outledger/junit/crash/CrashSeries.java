// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.crash;

import java.util.List;

/** The state that the runs of one crash test share: what the run without a crash has shown. */
final class CrashSeries {

  private final int stepsMax;
  private List<String> steps = List.of();
  private List<String> expected = List.of();

  CrashSeries(int stepsMax) {
    this.stepsMax = stepsMax;
  }

  /** Returns the steps of the run without a crash; none until it has ended well. */
  List<String> steps() {
    return steps;
  }

  /** Returns the observations after the run without a crash. */
  List<String> expected() {
    return expected;
  }

  void ranWithoutCrash(List<String> stepsTaken, List<String> before, List<String> observed) {
    if (observed.equals(before)) {
      throw new AssertionError(
          "Without a crash, the flow had no effect that this test observes: publish through"
              + " process.publisher(…) or process.broker(), record outside effects with"
              + " process.effect(…), or return what the database shows from observe(…)");
    }
    if (stepsTaken.size() > stepsMax) {
      throw new AssertionError(
          "The flow has "
              + stepsTaken.size()
              + " steps, and @CrashTest(stepsMax) is "
              + stepsMax
              + ": make the flow smaller, with one request and few messages");
    }
    steps = List.copyOf(stepsTaken);
    expected = List.copyOf(observed);
  }
}
