// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

/** Numbers in words for people. */
final class Words {

  private Words() {}

  /** {@code 1 message}, {@code 1,204 messages}, {@code 2 processes}. */
  static String count(long count, String thing) {
    String plural = thing.endsWith("s") ? "es" : "s";
    return "%,d %s%s".formatted(count, thing, count == 1 ? "" : plural);
  }

  /** {@code 1:07}. */
  static String clock(long ms) {
    return "%2d:%02d".formatted(ms / 60_000, ms / 1000 % 60);
  }
}
