// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.run;

import java.io.PrintStream;
import java.util.function.Supplier;

/**
 * The terminal: lines that stay, and beneath them one line that is rewritten several times a
 * second. Where there is no terminal that line is printed every few seconds instead. Thread-safe.
 */
public final class Screen {

  private static final String CLEAR = "\r\u001b[2K";
  private static final long PLAIN_EVERY_NANOS = 5_000_000_000L;

  private final PrintStream out;
  private final boolean isTerminal;
  private String progress = "";
  private long plainSaidAt;

  /** Makes one; without a terminal nothing is rewritten. */
  public Screen(PrintStream out, boolean isTerminal) {
    this.out = out;
    this.isTerminal = isTerminal;
    this.plainSaidAt = System.nanoTime();
  }

  /** Writes a line that stays. */
  public synchronized void line(String text) {
    if (isTerminal && !progress.isEmpty()) {
      out.print(CLEAR + text + "\n" + progress);
    } else {
      out.println(text);
    }
    out.flush();
  }

  /** Rewrites the progress line. */
  public synchronized void progress(Supplier<String> text) {
    if (isTerminal) {
      progress = text.get();
      out.print(CLEAR + progress);
      out.flush();
    } else if (System.nanoTime() - plainSaidAt >= PLAIN_EVERY_NANOS) {
      plainSaidAt = System.nanoTime();
      out.println(text.get());
    }
  }

  /** Ends the progress line. */
  public synchronized void endProgress() {
    if (isTerminal && !progress.isEmpty()) {
      out.print(CLEAR);
      out.flush();
    }
    progress = "";
  }
}
