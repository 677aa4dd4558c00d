// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Numbers as the text by which a request's place keeps them. */
final class NumbersText {

  private static final String LIST = " + ";

  private NumbersText() {}

  static String write(long... numbers) {
    return LongStream.of(numbers).mapToObj(String::valueOf).collect(Collectors.joining(" "));
  }

  /**
   * Returns a text of numbers with a list of others behind. A build that knows no list cannot read
   * such a text, and leaves the request to one that does.
   */
  static String and(String text, List<Long> list) {
    return list.isEmpty()
        ? text
        : text + LIST + list.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  /** Returns the list of a text; empty where there is none. */
  static List<Long> list(String text) {
    int at = text.indexOf(LIST);
    return at < 0
        ? List.of()
        : Stream.of(text.substring(at + LIST.length()).split(",", -1)).map(Long::valueOf).toList();
  }

  /** Returns the first so many numbers; 0 for those that an earlier build did not write. */
  static long[] read(String text, int count) {
    int end = text.indexOf(LIST);
    String numbers = end < 0 ? text : text.substring(0, end);
    long[] written = Stream.of(numbers.split(" ", -1)).mapToLong(Long::parseLong).toArray();
    return Arrays.copyOf(written, count);
  }
}
