// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.util.Locale;

/** What is started. */
enum SpringVariant {
  PLAIN("without the starter"),
  KAFKA("with it, to Kafka"),
  HANDLER("with it and one handler");

  private final String text;

  SpringVariant(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }

  /** Returns its main class. */
  String main() {
    String name = name().charAt(0) + toString().substring(1);
    return "io.outledger.springbenchmark." + this + "." + name + "Application";
  }

  /** Returns its name, and that of its package. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
