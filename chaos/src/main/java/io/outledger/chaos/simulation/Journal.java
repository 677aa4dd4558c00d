// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.chaos.checker.Checker;
import io.outledger.chaos.checker.Report;
import io.outledger.chaos.history.Entry;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Takes down what happens: for the checker always, step by step for a reader on request. */
final class Journal {

  private final Checker checker = new Checker();
  private final SimulatedTime time;
  private final @Nullable Consumer<String> reader;

  Journal(SimulatedTime time, @Nullable Consumer<String> reader) {
    this.time = time;
    this.reader = reader;
  }

  void write(Entry entry) {
    checker.accept(entry);
    tell(entry::toString);
  }

  void tell(Supplier<String> line) {
    if (reader != null) {
      reader.accept("%10.3f ms  %s".formatted(time.nanos() / 1e6, line.get()));
    }
  }

  Report report() {
    return checker.report();
  }
}
