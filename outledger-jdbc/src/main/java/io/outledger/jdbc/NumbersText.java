// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Numbers as the text by which a request's place keeps them. */
final class NumbersText {

  private NumbersText() {}

  static String write(long... numbers) {
    return LongStream.of(numbers).mapToObj(String::valueOf).collect(Collectors.joining(" "));
  }

  /** Returns so many numbers; 0 for those that an earlier build did not write. */
  static long[] read(String text, int count) {
    long[] written = Stream.of(text.split(" ", -1)).mapToLong(Long::parseLong).toArray();
    return Arrays.copyOf(written, count);
  }
}
