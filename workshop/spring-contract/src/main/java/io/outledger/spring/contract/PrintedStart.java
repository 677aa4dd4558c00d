// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.function.Supplier;

/** What a start that fails prints. */
final class PrintedStart {

  private PrintedStart() {}

  /** Starts the shop, which must fail; returns the explanation, with single spaces. */
  static String of(List<Class<?>> configuration, String... properties) {
    return of(() -> RunningShop.start(configuration, properties));
  }

  /** Starts an application, which must work, and stops it; returns what was printed meanwhile. */
  static String ofOneThatWorks(Supplier<RunningShop> start) {
    PrintStream out = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, UTF_8));
    try {
      start.get().close();
    } finally {
      System.setOut(out);
    }
    return printed.toString(UTF_8).replaceAll("\\s+", " ");
  }

  /** Starts an application, which must fail. */
  static String of(Supplier<RunningShop> start) {
    PrintStream out = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, UTF_8));
    try {
      assertThatThrownBy(() -> start.get().close()).isInstanceOf(Exception.class);
    } finally {
      System.setOut(out);
    }
    assertThat(printed.toString(UTF_8)).contains("APPLICATION FAILED TO START");
    return printed.toString(UTF_8).replaceAll("\\s+", " ");
  }
}
