// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import io.outledger.saga.SagaRow;
import io.outledger.saga.SagaTimeout;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** How a row writes what a saga waits for and has done, as texts. */
public final class SagaText {

  private static final char BETWEEN = ' ';
  private static final String LINE = "\n";

  private SagaText() {}

  /** Returns the time-outs, form-encoded: {@code name=token+due}; null where there are none. */
  static @Nullable String timeouts(SagaRow.Progress progress) {
    Map<String, String> texts = new TreeMap<>();
    for (SagaTimeout each : progress.timeouts()) {
      texts.put(each.name(), each.token().toString() + BETWEEN + each.due());
    }
    return HeaderText.encode(texts);
  }

  /** Returns the names of what was done, a line each; null where nothing was. */
  static @Nullable String done(SagaRow.Progress progress) {
    return progress.done().isEmpty() ? null : String.join(LINE, progress.done());
  }

  /**
   * Reads the texts of a row.
   *
   * @throws IllegalArgumentException if somebody has changed them
   */
  public static SagaRow.Progress progress(
      @Nullable String waitsFor, @Nullable String timeouts, @Nullable String done) {
    List<SagaTimeout> waiting = new ArrayList<>();
    HeaderText.decode(timeouts).forEach((name, text) -> waiting.add(timeout(name, text)));
    return new SagaRow.Progress(
        waitsFor, waiting, done == null ? List.of() : List.of(done.split(LINE)));
  }

  private static SagaTimeout timeout(String name, String text) {
    int at = Require.nonNull("text", text).indexOf(BETWEEN);
    if (at < 0) {
      throw new IllegalArgumentException("the time-out " + name + " of a saga has no time");
    }
    return new SagaTimeout(
        name, UUID.fromString(text.substring(0, at)), Instant.parse(text.substring(at + 1)));
  }
}
