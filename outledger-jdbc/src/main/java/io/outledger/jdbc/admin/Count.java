// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

/**
 * How many there are, counted up to {@value #MAX}: counting on would take a time without a bound.
 *
 * @param number how many were counted
 * @param isMore whether there are, or may be, more
 */
public record Count(long number, boolean isMore) {

  /** Nothing counts further than this. */
  public static final int MAX = 10_000;

  /** There is none. */
  public static final Count NONE = new Count(0, false);

  /** Returns the count of a statement that has looked at one more than {@value #MAX}. */
  public static Count of(long found) {
    return new Count(Math.min(found, MAX), found > MAX);
  }

  /** Returns it for people, such as {@code 17} or {@code 10000+}. */
  @Override
  public String toString() {
    return number + (isMore ? "+" : "");
  }
}
