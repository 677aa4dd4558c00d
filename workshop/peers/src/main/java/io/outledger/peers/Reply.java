// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Named numbers that one process tells another, on a line. */
final class Reply {

  private static final String MARK = "reply ";

  private final Map<String, Double> numbers = new TreeMap<>();

  /** Reads a line; empty where it is another. */
  static Optional<Reply> ofLine(String line) {
    if (!line.startsWith(MARK)) {
      return Optional.empty();
    }
    Reply reply = new Reply();
    for (String pair : line.substring(MARK.length()).split(" ", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        reply.with(pair.substring(0, equals), Double.parseDouble(pair.substring(equals + 1)));
      }
    }
    return Optional.of(reply);
  }

  Reply with(String name, double value) {
    numbers.put(name, value);
    return this;
  }

  double number(String name) {
    Double value = numbers.get(name);
    if (value == null) {
      throw new IllegalStateException("there is no " + name + " in " + line());
    }
    return value;
  }

  String json() {
    return numbers.entrySet().stream()
        .map(entry -> "\"" + entry.getKey() + "\": " + plain(entry.getValue()))
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String plain(double number) {
    return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
  }

  String line() {
    return numbers.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining(" ", MARK, ""));
  }
}
