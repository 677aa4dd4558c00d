// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.util.List;
import java.util.Map;

/**
 * How much is to be measured. Each benchmark says itself what it takes where nothing was said.
 *
 * @param said the words of the command line, empty where a word was left out
 */
record Wish(Map<String, String> said) {

  int messages(int otherwise) {
    return number("messages", otherwise);
  }

  int rounds(int otherwise) {
    return number("rounds", otherwise);
  }

  int rate(int otherwise) {
    return number("rate", otherwise);
  }

  /** Whether a word was said that needs no value. */
  boolean has(String name) {
    return !said.getOrDefault(name, "").isEmpty();
  }

  /** Returns the names that a word gives, which commas separate. */
  List<String> names(String name) {
    return List.of(said.getOrDefault(name, "").split(",", -1));
  }

  private int number(String name, int otherwise) {
    String value = said.getOrDefault(name, "");
    return value.isEmpty() ? otherwise : Integer.parseInt(value);
  }
}
