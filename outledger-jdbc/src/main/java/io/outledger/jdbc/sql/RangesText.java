// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.frontier.Positions;
import io.outledger.frontier.PositionsBuilder;

/** Ranges of positions as JSON: an array of pairs, of which each is first and last. */
public final class RangesText {

  private RangesText() {}

  /** Returns the text of ranges. */
  public static String write(Positions positions) {
    long[] firsts = positions.firsts();
    long[] lasts = positions.lasts();
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i < firsts.length; i++) {
      text.append(i == 0 ? "[" : ",[").append(firsts[i]).append(',').append(lasts[i]).append(']');
    }
    return text.append(']').toString();
  }

  /**
   * Returns the ranges of a text that was written here.
   *
   * @throws IllegalArgumentException if it is another text
   */
  public static Positions read(String text) {
    PositionsBuilder ranges = new PositionsBuilder();
    long number = -1;
    long first = -1;
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c >= '0' && c <= '9') {
        number = Math.max(number, 0) * 10 + (c - '0');
      } else if (number >= 0 && first < 0) {
        first = number;
        number = -1;
      } else if (number >= 0) {
        ranges.add(first, number);
        first = -1;
        number = -1;
      }
    }
    if (first >= 0 || number >= 0) {
      throw new IllegalArgumentException("not an array of pairs: " + text);
    }
    return ranges.build();
  }
}
