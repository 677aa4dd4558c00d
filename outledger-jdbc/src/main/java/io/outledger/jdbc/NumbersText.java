// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Numbers as the text by which a request's place keeps them. */
final class NumbersText {

  private NumbersText() {}

  static String write(long... numbers) {
    return LongStream.of(numbers).mapToObj(String::valueOf).collect(Collectors.joining(" "));
  }

  /** Returns a text of numbers with more of them behind. */
  static String and(String text, List<Long> more) {
    return more.isEmpty()
        ? text
        : text + " " + more.stream().map(String::valueOf).collect(Collectors.joining(" "));
  }

  /** Returns the numbers behind the first ones. */
  static List<Long> behind(String text, int count) {
    return Stream.of(text.split(" ", -1)).skip(count).map(Long::valueOf).toList();
  }

  /** Returns the first so many numbers; 0 for those that an earlier build did not write. */
  static long[] read(String text, int count) {
    long[] written = Stream.of(text.split(" ", -1)).mapToLong(Long::parseLong).toArray();
    return Arrays.copyOf(written, count);
  }
}
