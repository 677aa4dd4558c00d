// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Numbers as the text by which a request's place keeps them. */
final class NumbersText {

  private NumbersText() {}

  static String write(long... numbers) {
    return LongStream.of(numbers).mapToObj(String::valueOf).collect(Collectors.joining(" "));
  }

  static long[] read(String text) {
    return Stream.of(text.split(" ", -1)).mapToLong(Long::parseLong).toArray();
  }
}
