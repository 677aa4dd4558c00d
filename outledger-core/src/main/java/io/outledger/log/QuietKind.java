// SPDX-License-Identifier: Apache-2.0
package io.outledger.log;

import io.outledger.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** Decides which lines of a kind are written, and when. Guarded by its {@link QuietLog}. */
final class QuietKind {

  private static final String OTHERS = "others";

  private final Map<String, Cause> causes = new LinkedHashMap<>();
  private boolean hasSaid;
  private long saidAt;
  private boolean isAwaited;
  private long awaitedAt;
  private long admittedAt;

  /**
   * What may become a line.
   *
   * @param failure what the trace is written of; null where there is none
   * @param lasts whether the pauses between lines of its cause grow
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
  static String cause(String text) {
    StringBuilder cause = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      cause.append(word.chars().anyMatch(Character::isDigit) ? "#" : word).append(' ');
    }
    return cause.toString();
  }

  /** Takes an event, and returns the line to write now, or null. */
  @Nullable Told take(String name, Line line, long now) {
    Cause cause = causeOf(name, now);
    cause.met(line, now);
    return isDue(cause, now) ? tell(cause, now) : null;
  }

  /**
   * Returns how long to wait before what is unsaid is to be told; zero if nothing is, or if the
   * wait is known already. Every wait ends with {@link #awaited}.
   */
  long untilRest(long now) {
    long wait = Long.MAX_VALUE;
    for (Cause cause : causes.values()) {
      if (cause.unsaid > 0) {
        wait = Math.min(wait, Math.max(freeAt(now) - now, cause.dueAt(now) - now));
      }
    }
    wait = Math.max(1, wait);
    if (wait == Long.MAX_VALUE || (isAwaited && awaitedAt - now <= wait)) {
      return 0;
    }
    isAwaited = true;
    awaitedAt = now + wait;
    return wait;
  }

  /**
   * Returns what was waited for, or null if it is told by now. A wait counts as over even if the
   * clock was not moved, as in a test.
   *
   * @param end when it was to end
   */
  @Nullable Told awaited(long end, long now) {
    if (end == awaitedAt) {
      isAwaited = false;
    }
    long then = now - end >= 0 ? now : end;
    for (Cause cause : causes.values()) {
      if (cause.unsaid > 0 && isDue(cause, then)) {
        return tell(cause, now);
      }
    }
    return null;
  }

  /** Notes that nobody waits, since that was not possible. */
  void isNotAwaited() {
    isAwaited = false;
  }

  /** Returns all that is unsaid. */
  List<Told> rest(long now) {
    List<Told> rest = new ArrayList<>();
    for (Cause cause : causes.values()) {
      if (cause.unsaid > 0) {
        rest.add(tell(cause, now));
      }
    }
    return rest;
  }

  /** Has the next line of each cause told without the pause that has grown. */
  void end() {
    causes.values().forEach(Cause::end);
  }

  private boolean isDue(Cause cause, long now) {
    return now - freeAt(now) >= 0 && now - cause.dueAt(now) >= 0;
  }

  private long freeAt(long now) {
    return hasSaid ? saidAt + QuietLog.LEAST_NANOS : now;
  }

  private Told tell(Cause cause, long now) {
    hasSaid = true;
    saidAt = now;
    return cause.tell(now);
  }

  private Cause causeOf(String name, long now) {
    Cause known = causes.get(name);
    if (known != null && !known.isForgotten(now)) {
      return known;
    }
    if (known == null && !hasRoom(now)) {
      return causes.computeIfAbsent(OTHERS, ignored -> new Cause());
    }
    Cause fresh = new Cause();
    causes.put(name, fresh);
    return fresh;
  }

  /** Whoever sends messages may choose texts: beyond a bound, one new cause a minute is known. */
  private boolean hasRoom(long now) {
    if (causes.size() < QuietLog.CAUSES_MAX) {
      admittedAt = now;
      return true;
    }
    if (now - admittedAt <= QuietLog.MOST_NANOS) {
      return false;
    }
    for (Map.Entry<String, Cause> each : causes.entrySet()) {
      if (each.getValue().isForgotten(now)) {
        causes.remove(each.getKey());
        admittedAt = now;
        return true;
      }
    }
    return false;
  }

  private static final class Cause {
    private @Nullable Line last;
    private int unsaid;
    private boolean hasSaid;
    private boolean hasTraced;
    private long saidAt;
    private long metAt;
    private long pause = QuietLog.LEAST_NANOS;

    void met(Line line, long now) {
      last = line;
      metAt = now;
      unsaid++;
    }

    boolean isForgotten(long now) {
      return unsaid == 0 && now - metAt > QuietLog.MOST_NANOS;
    }

    void end() {
      hasSaid = false;
      pause = QuietLog.LEAST_NANOS;
    }

    long dueAt(long now) {
      return hasSaid ? saidAt + pause : now;
    }

    Told tell(long now) {
      Line line = last;
      if (line == null) {
        throw new IllegalStateException("nothing is unsaid");
      }
      if (hasSaid && line.lasts()) {
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
}
