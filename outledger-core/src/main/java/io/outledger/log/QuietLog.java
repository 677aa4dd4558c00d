// SPDX-License-Identifier: Apache-2.0
package io.outledger.log;

import io.outledger.Given;
import io.outledger.Printable;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * A log that nothing can flood. Lines have a kind, such as "a message was parked", and at most one
 * line of a kind is written a second. A line says how many others it stands for, and the last ones
 * of a burst are written when the second is over, even if nothing of their kind follows.
 *
 * <p>A failure that lasts is written ever more rarely: the pause between its lines doubles up to a
 * minute, and its stack trace is written once. Failures of a kind are one cause if their texts
 * differ in numbers alone. A cause that was not met for longer than a minute counts as a new one.
 *
 * <p>Every line starts with the subject, such as {@code relay orders: }. Callers make the words
 * that they pass {@linkplain Printable printable}; failures are made printable here. Nothing here
 * throws what the logger does not throw. Thread-safe.
 */
public final class QuietLog {

  /** The least time between two lines of a kind. */
  static final long LEAST_NANOS = Duration.ofSeconds(1).toNanos();

  /** The longest pause between two lines of a failure that lasts. */
  static final long MOST_NANOS = Duration.ofMinutes(1).toNanos();

  /** The most causes of a kind that are told apart; the others share one. */
  static final int CAUSES_MAX = 20;

  private final Logger log;
  private final String subject;
  private final TimeSource time;
  private final Later later;
  private final Map<String, QuietKind> kinds = new HashMap<>();

  /** Runs something later, on another thread. */
  @FunctionalInterface
  interface Later {

    /** The JDK's own timer and threads. */
    Later BY_THE_JDK =
        (nanos, task) ->
            CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS).execute(task);

    void run(long nanos, Runnable task);
  }

  /**
   * Creates a log.
   *
   * @param writer the class that writes, which names the logger
   * @param subject what the lines are about, such as {@code relay orders}; made printable here
   * @param time measures the pauses
   */
  public QuietLog(Class<?> writer, String subject, TimeSource time) {
    this(LoggerFactory.getLogger(Given.check("writer", writer)), subject, time, Later.BY_THE_JDK);
  }

  QuietLog(Logger log, String subject, TimeSource time, Later later) {
    this.log = log;
    this.subject = Printable.value(Given.check("subject", subject));
    this.time = Given.check("time", time);
    this.later = later;
  }

  /**
   * Writes that something happened, at most once a second for its kind.
   *
   * @param kind the same for all lines that may stand for one another
   * @param words what happened, printable; asked for only if it is written
   */
  public void say(Level level, String kind, Supplier<String> words) {
    Given.check("level", level);
    Given.check("kind", kind);
    Given.check("words", words);
    take(kind, "", new QuietKind.Line(level, words, null, false));
  }

  /**
   * Writes that something fails, and the longer it fails the more rarely.
   *
   * @param kind the same for all failures that {@link #over} ends
   * @param reason why; not written, but it tells causes apart
   * @param words what failed, why, and what follows, printable
   */
  public void fails(Level level, String kind, String reason, Supplier<String> words) {
    Given.check("level", level);
    Given.check("kind", kind);
    Given.check("reason", reason);
    Given.check("words", words);
    take(kind, QuietKind.cause(reason), new QuietKind.Line(level, words, null, true));
  }

  /**
   * Writes that something fails, with the failure: its text in each line, its trace in the first.
   *
   * @param kind the same for all failures that {@link #over} ends
   * @param words what failed and what follows, printable
   * @param failure what was thrown; made printable here
   */
  public void fails(Level level, String kind, Supplier<String> words, Throwable failure) {
    Given.check("level", level);
    Given.check("kind", kind);
    Given.check("words", words);
    Given.check("failure", failure);
    String text = text(failure);
    Supplier<String> all = () -> words.get() + ": " + text;
    take(kind, QuietKind.cause(text), new QuietKind.Line(level, all, failure, true));
  }

  /**
   * Writes that a batch of received messages failed, and that fewer are processed at once.
   *
   * @param size how many they are
   * @param reason why, printable
   */
  public void batchFails(int size, String reason) {
    Given.check("reason", reason);
    fails(
        Level.INFO,
        "batch",
        reason,
        () ->
            "a batch of %s failed and was rolled back; processing fewer at once: %s"
                .formatted(Printable.count(size, "message"), reason));
  }

  /** Ends a kind of failure: the next one is a new one, and is written within a second. */
  public void over(String kind) {
    Given.check("kind", kind);
    QuietKind ended;
    synchronized (kinds) {
      ended = kinds.get(kind);
      if (ended == null) {
        return;
      }
      ended.end();
    }
    tellAwaited(ended, time.nanoTime());
  }

  /** Writes what is still unsaid: for the end of what the lines are about. */
  public void tellRest() {
    List<QuietKind.Told> rest;
    synchronized (kinds) {
      long now = time.nanoTime();
      rest = kinds.values().stream().flatMap(kind -> kind.rest(now).stream()).toList();
    }
    rest.forEach(this::write);
  }

  private void take(String name, String cause, QuietKind.Line line) {
    if (!log.isEnabledForLevel(line.level())) {
      return;
    }
    QuietKind kind;
    QuietKind.Told told;
    synchronized (kinds) {
      kind = kinds.computeIfAbsent(name, ignored -> new QuietKind());
      told = kind.take(cause, line, time.nanoTime());
    }
    if (told != null) {
      write(told);
    }
    awaitRest(kind);
  }

  private void awaitRest(QuietKind kind) {
    long wait;
    long end;
    synchronized (kinds) {
      long now = time.nanoTime();
      wait = kind.untilRest(now);
      end = now + wait;
    }
    if (wait == 0) {
      return;
    }
    try {
      later.run(wait, () -> tellAwaited(kind, end));
    } catch (RuntimeException | Error e) { // no thread for it: the kind's next line tells the rest
      synchronized (kinds) {
        kind.isNotAwaited();
      }
    }
  }

  private void tellAwaited(QuietKind kind, long end) {
    QuietKind.Told told;
    synchronized (kinds) {
      told = kind.awaited(end, time.nanoTime());
    }
    if (told != null) {
      write(told);
    }
    awaitRest(kind);
  }

  private void write(QuietKind.Told told) {
    QuietKind.Line line = told.line();
    Throwable failure = told.withTrace() ? line.failure() : null;
    Throwable trace = failure == null ? null : trace(failure);
    log.atLevel(line.level()).setCause(trace).log("{}: {}", subject, told.words());
  }

  private static String text(Throwable failure) {
    try {
      return Printable.text(failure);
    } catch (Throwable e) { // user code's failure may refuse to say
      return failure.getClass().getName();
    }
  }

  private static @Nullable Throwable trace(Throwable failure) {
    try {
      return Printable.trace(failure);
    } catch (Throwable e) { // or to be written
      return null;
    }
  }
}
