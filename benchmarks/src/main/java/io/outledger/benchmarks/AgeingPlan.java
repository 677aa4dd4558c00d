// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

/**
 * What the ageing benchmark measures.
 *
 * @param messages how many messages are drained each time
 * @param rounds how often each burden is measured
 * @param settled how many messages have been published before
 * @param holes how many numbers were lost while a writer stayed open
 * @param saveMillis how long transactions are timed each time
 */
record AgeingPlan(int messages, int rounds, int settled, int holes, long saveMillis) {

  /** A quarter of an hour at 1,000 transactions a second of which a tenth roll back. */
  private static final int HOLES = 90_000;

  private static final long SAVE_MILLIS = 2_500;

  private static final int SETTLED_FOR_EACH = 10;

  static AgeingPlan of(int messages, int rounds) {
    return new AgeingPlan(messages, rounds, SETTLED_FOR_EACH * messages, HOLES, SAVE_MILLIS);
  }
}
