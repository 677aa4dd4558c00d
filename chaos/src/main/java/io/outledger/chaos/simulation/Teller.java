// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Tells a run step by step, to a reader who has asked for it: when, who, and what. */
final class Teller {

  private final SimulatedTime time;
  private final @Nullable Consumer<String> reader;

  Teller(SimulatedTime time, @Nullable Consumer<String> reader) {
    this.time = time;
    this.reader = reader;
  }

  void tell(Object who, Supplier<String> what) {
    if (reader != null) {
      reader.accept("%11.3f ms  %-16s  %s".formatted(time.nanos() / 1e6, who, what.get()));
    }
  }
}
