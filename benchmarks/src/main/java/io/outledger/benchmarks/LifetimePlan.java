// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

/**
 * What the lifetime benchmark measures.
 *
 * @param days how many days are played
 * @param perDay how many messages come each day
 * @param keptDays how old messages are when they are removed, in days
 */
record LifetimePlan(int days, int perDay, int keptDays) {

  private static final int DAYS = 30;
  private static final int KEPT_DAYS = 7;
  private static final int MESSAGES = 3_000_000;

  static LifetimePlan of(Wish wish) {
    return new LifetimePlan(DAYS, Math.max(1, wish.messages(MESSAGES) / DAYS), KEPT_DAYS);
  }

  int messages() {
    return days * perDay;
  }

  /** Returns how many days old the messages of a day are when all is over. */
  int age(int day) {
    return days - 1 - day;
  }
}
