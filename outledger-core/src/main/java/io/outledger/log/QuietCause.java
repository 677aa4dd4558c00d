// SPDX-License-Identifier: Apache-2.0
package io.outledger.log;

import io.outledger.Printable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** What is unsaid of one cause of lines, and when it may be said. Guarded by its log. */
final class QuietCause {

  private static final long FIRST = QuietLog.LEAST_NANOS / 2;

  private @Nullable Line last;
  private int unsaid;
  private boolean hasSaid;
  private boolean hasTraced;
  private long saidAt;
  private long metAt;
  private long pause = FIRST; // doubled by each line

  /**
   * What may become a line.
   *
   * @param failure what the trace is written of; null where there is none
   * @param lasts whether the pauses between lines grow
   */
  record Line(Level level, Supplier<String> words, @Nullable Throwable failure, boolean lasts) {}

  /** A line to write, with the number of others that it stands for. */
  record Told(Line line, int more, boolean withTrace) {

    String words() {
      String all = line.words().get();
      return more == 0 ? all : all + " (and " + Printable.count(more, "more such event") + ")";
    }
  }

  /** Returns what tells causes apart: the text without the words that contain a digit. */
  static String name(String text) {
    StringBuilder name = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      name.append(word.chars().anyMatch(Character::isDigit) ? "#" : word).append(' ');
    }
    return name.toString();
  }

  void met(Line line, long now) {
    last = line;
    metAt = now;
    unsaid++;
  }

  /** Remembers it for longer, with nothing to say. */
  void metAgain(long now) {
    metAt = now;
  }

  boolean isForgotten(long now) {
    return unsaid == 0 && now - metAt > QuietLog.MOST_NANOS;
  }

  boolean isUnsaid() {
    return unsaid > 0;
  }

  /** Has the next line told without the pause that has grown. */
  void end() {
    pause = FIRST;
  }

  /** Forgets what is unsaid. */
  void drop() {
    unsaid = 0;
  }

  /** Returns how long to wait for the next line; not positive where it may be told now. */
  long dueIn(long now) {
    return hasSaid ? saidAt + Math.max(pause, QuietLog.LEAST_NANOS) - now : 0;
  }

  /** Takes what is unsaid as said now. */
  Told tell(long now) {
    Line line = last;
    if (line == null) {
      throw new IllegalStateException("nothing is unsaid");
    }
    if (line.lasts()) {
      pause = Math.min(2 * pause, QuietLog.MOST_NANOS);
    }
    boolean withTrace = !hasTraced && line.failure() != null;
    hasTraced |= withTrace;
    Told told = new Told(line, unsaid - 1, withTrace);
    unsaid = 0;
    hasSaid = true;
    saidAt = now;
    return told;
  }
}
