// SPDX-License-Identifier: Apache-2.0
package io.outledger.log;

import io.outledger.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/**
 * A logger that keeps its lines, each with its level in front, from a level on. What is to be told
 * later waits for {@link #runLater}. For one thread.
 */
public final class KeptLog extends LegacyAbstractLogger {

  private static final long serialVersionUID = 1L;

  private final transient List<String> lines = new ArrayList<>();
  private final transient List<Throwable> traces = new ArrayList<>();
  private final transient List<Waiting> waiting = new ArrayList<>();
  private final Level lowest;

  private record Waiting(long nanos, Runnable task) {}

  public KeptLog(Level lowest) {
    this.lowest = lowest;
  }

  /** Returns a quiet log that writes here. */
  public QuietLog quiet(String subject, TimeSource time) {
    return new QuietLog(
        this, subject, time, (nanos, task) -> waiting.add(new Waiting(nanos, task)));
  }

  public List<String> lines() {
    return List.copyOf(lines);
  }

  public List<Throwable> traces() {
    return List.copyOf(traces);
  }

  /** Returns for how many milliseconds each of those waits that are to be told later. */
  public List<Long> waitingMillis() {
    return waiting.stream().map(each -> TimeUnit.NANOSECONDS.toMillis(each.nanos())).toList();
  }

  /** Runs what was to be run later. */
  public void runLater() {
    List<Waiting> due = List.copyOf(waiting);
    waiting.clear();
    due.forEach(each -> each.task().run());
  }

  private boolean keeps(Level level) {
    return level.toInt() >= lowest.toInt();
  }

  @Override
  public boolean isTraceEnabled() {
    return keeps(Level.TRACE);
  }

  @Override
  public boolean isDebugEnabled() {
    return keeps(Level.DEBUG);
  }

  @Override
  public boolean isInfoEnabled() {
    return keeps(Level.INFO);
  }

  @Override
  public boolean isWarnEnabled() {
    return keeps(Level.WARN);
  }

  @Override
  public boolean isErrorEnabled() {
    return keeps(Level.ERROR);
  }

  @Override
  protected @Nullable String getFullyQualifiedCallerName() {
    return null;
  }

  @Override
  protected void handleNormalizedLoggingCall(
      Level level,
      @Nullable Marker marker,
      String pattern,
      Object @Nullable [] arguments,
      @Nullable Throwable thrown) {
    lines.add(level + " " + MessageFormatter.basicArrayFormat(pattern, arguments));
    if (thrown != null) {
      traces.add(thrown);
    }
  }
}
