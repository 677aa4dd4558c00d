// SPDX-License-Identifier: Apache-2.0
package io.outledger.log;

import io.outledger.Printable;
import io.outledger.Require;
import io.outledger.log.QuietCause.Line;
import io.outledger.log.QuietCause.Told;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * A log that nothing can flood. Lines have a kind, such as "a message was parked", and at most one
 * line of a kind and a cause is written a second. A line says how many others it stands for, and
 * the last ones of a burst are written when the second is over, even if nothing follows.
 *
 * <p>A failure that lasts is written ever more rarely: the pause between its lines doubles up to a
 * minute, and its stack trace is written once. Failures of a kind are one cause if their texts
 * differ in numbers alone. A cause that was not met for longer than a minute counts as a new one.
 * Whoever sends messages may choose texts, so a kind has a limited number of causes.
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

  private static final String OTHERS = "others";

  /** The most causes of a kind that are told apart; the others share one. */
  static final int CAUSES_MAX = 20;

  private final Logger log;
  private final String subject;
  private final TimeSource time;
  private final Later later;
  private final Map<String, Map<String, QuietCause>> kinds = new HashMap<>(); // guards what follows
  private long admittedAt;
  private boolean isWaiting;
  private long waitsUntil;

  /** Runs something later, on another thread. */
  @FunctionalInterface
  interface Later {

    /** The JDK's own timer, and a thread that nothing waits for. */
    Later BY_THE_JDK =
        (nanos, task) ->
            CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, Later::start)
                .execute(task);

    void run(long nanos, Runnable task);

    private static void start(Runnable task) {
      Thread thread = new Thread(task, "outledger-log");
      thread.setDaemon(true);
      thread.start();
    }
  }

  /**
   * Creates a log.
   *
   * @param writer the class that writes, which names the logger
   * @param subject what the lines are about, such as {@code relay orders}; made printable here
   * @param time measures the pauses
   */
  public QuietLog(Class<?> writer, String subject, TimeSource time) {
    this(
        LoggerFactory.getLogger(Require.nonNull("writer", writer)),
        subject,
        time,
        Later.BY_THE_JDK);
  }

  QuietLog(Logger log, String subject, TimeSource time, Later later) {
    this.log = log;
    this.subject = Printable.value(Require.nonNull("subject", subject));
    this.time = Require.nonNull("time", time);
    this.later = later;
  }

  /**
   * Writes that something happened, at most once a second for its kind.
   *
   * @param kind the same for all lines that may stand for one another
   * @param words what happened, printable; asked for only if it is written
   */
  public void say(Level level, String kind, Supplier<String> words) {
    Require.nonNull("level", level);
    Require.nonNull("kind", kind);
    Require.nonNull("words", words);
    take(kind, "", new Line(level, words, null, false));
  }

  /**
   * Writes that something fails, and the longer it fails the more rarely.
   *
   * @param kind the same for all failures that {@link #over} ends
   * @param reason why; not written, but it tells causes apart
   * @param words what failed, why, and what follows, printable
   */
  public void fails(Level level, String kind, String reason, Supplier<String> words) {
    Require.nonNull("level", level);
    Require.nonNull("kind", kind);
    Require.nonNull("reason", reason);
    Require.nonNull("words", words);
    take(kind, QuietCause.name(reason), new Line(level, words, null, true));
  }

  /**
   * Writes that something fails, with the failure: its text in each line, its trace in the first.
   *
   * @param kind the same for all failures that {@link #over} ends
   * @param words what failed and what follows, printable
   * @param failure what was thrown; made printable here
   */
  public void fails(Level level, String kind, Supplier<String> words, Throwable failure) {
    Require.nonNull("level", level);
    Require.nonNull("kind", kind);
    Require.nonNull("words", words);
    Require.nonNull("failure", failure);
    String text = text(failure);
    Supplier<String> all = () -> words.get() + ": " + text;
    take(kind, QuietCause.name(text), new Line(level, all, failure, true));
  }

  /**
   * Writes that something fails, with the failure's trace, at the first time of a cause alone: for
   * those whose caller writes what comes of each failure.
   *
   * @param kind the same for all failures that {@link #over} ends
   * @param words what failed, printable
   * @param failure what was thrown; made printable here
   */
  public void firstFails(Level level, String kind, Supplier<String> words, Throwable failure) {
    Require.nonNull("level", level);
    Require.nonNull("kind", kind);
    Require.nonNull("words", words);
    Require.nonNull("failure", failure);
    if (!isKnown(kind, QuietCause.name(text(failure)))) {
      fails(level, kind, words, failure);
    }
  }

  private boolean isKnown(String kind, String cause) {
    synchronized (kinds) {
      long now = time.nanoTime();
      QuietCause known = kinds.getOrDefault(kind, Map.of()).get(cause);
      if (known == null || known.isForgotten(now)) {
        return false;
      }
      known.metAgain(now);
      return true;
    }
  }

  /**
   * Writes that a batch of received messages failed, and that fewer are processed at once.
   *
   * @param size how many they are
   * @param reason why, printable
   */
  public void batchFails(int size, String reason) {
    Require.nonNull("reason", reason);
    fails(
        Level.INFO,
        "batch",
        reason,
        () ->
            "a batch of %s failed and was rolled back; processing fewer at once: %s"
                .formatted(Printable.count(size, "message"), reason));
  }

  /**
   * Ends a kind of failure: the next one is a new one, and is written within a second. What is not
   * due by now is not written any more: it would say that what is over goes on.
   */
  public void over(String kind) {
    Require.nonNull("kind", kind);
    synchronized (kinds) {
      kinds.getOrDefault(kind, Map.of()).values().forEach(QuietCause::end);
    }
    tellDue(time.nanoTime());
    drop(kind);
  }

  /**
   * Forgets what is unsaid of a kind: it would announce what does not come any more, as an attempt
   * of whoever has ended meanwhile. The first line of each failure was written.
   */
  public void drop(String kind) {
    Require.nonNull("kind", kind);
    synchronized (kinds) {
      kinds.getOrDefault(kind, Map.of()).values().forEach(QuietCause::drop);
    }
  }

  /** Writes what is still unsaid: for the end of what the lines are about. */
  public void tellRest() {
    List<Told> rest;
    synchronized (kinds) {
      long now = time.nanoTime();
      rest = unsaid().map(cause -> cause.tell(now)).toList();
    }
    rest.forEach(this::write);
  }

  private void take(String kind, String cause, Line line) {
    if (!log.isEnabledForLevel(line.level())) {
      return;
    }
    long now = time.nanoTime();
    synchronized (kinds) {
      causeOf(kind, cause, now).met(line, now);
    }
    tellDue(now);
  }

  private QuietCause causeOf(String kind, String name, long now) {
    Map<String, QuietCause> causes = kinds.computeIfAbsent(kind, k -> new LinkedHashMap<>());
    QuietCause known = causes.get(name);
    if (known != null && !known.isForgotten(now)) {
      return known;
    }
    if (known == null && causes.size() >= CAUSES_MAX && !makeRoom(causes, now)) {
      return causes.computeIfAbsent(OTHERS, others -> new QuietCause());
    }
    QuietCause fresh = new QuietCause();
    causes.put(name, fresh);
    return fresh;
  }

  /** Forgets a cause, at most once a minute. */
  private boolean makeRoom(Map<String, QuietCause> causes, long now) {
    Optional<String> forgotten =
        causes.entrySet().stream()
            .filter(cause -> cause.getValue().isForgotten(now))
            .map(Map.Entry::getKey)
            .findFirst();
    if (forgotten.isEmpty() || now - admittedAt <= MOST_NANOS) {
      return false;
    }
    causes.remove(forgotten.get());
    admittedAt = now;
    return true;
  }

  private Stream<QuietCause> unsaid() {
    return kinds.values().stream()
        .flatMap(causes -> causes.values().stream())
        .filter(QuietCause::isUnsaid);
  }

  /**
   * Writes what is due, and has the rest written later.
   *
   * @param from the least time that it is by now, even if the clock was not moved, as in a test
   */
  private void tellDue(long from) {
    List<Told> due;
    long wait;
    long now;
    synchronized (kinds) {
      now = Math.max(from - time.nanoTime(), 0) + time.nanoTime();
      due = unsaid().filter(cause -> cause.dueIn(now) <= 0).map(cause -> cause.tell(now)).toList();
      wait = unsaid().mapToLong(cause -> cause.dueIn(now)).min().orElse(0);
      if (wait == 0 || (isWaiting && waitsUntil - now <= wait)) {
        wait = 0;
      } else {
        isWaiting = true;
        waitsUntil = now + wait;
      }
    }
    due.forEach(this::write);
    if (wait > 0) {
      tellLater(wait, now + wait);
    }
  }

  private void tellLater(long wait, long end) {
    try {
      later.run(
          wait,
          () -> {
            ends(end);
            tellDue(end);
          });
    } catch (RuntimeException | Error e) { // no thread for it: the next line tells the rest
      ends(end);
    }
  }

  private void ends(long end) {
    synchronized (kinds) {
      isWaiting &= end != waitsUntil;
    }
  }

  private void write(Told told) {
    Line line = told.line();
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
