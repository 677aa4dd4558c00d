// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.crash;

import io.outledger.Require;
import io.outledger.testing.SettableClock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Collects what a crash test does and observes, and then runs it: start, request, settle, observe.
 * Where the application crashes on the way, it is started again, settles, and is observed then. Not
 * thread-safe.
 *
 * @param <A> the application under test
 */
public final class CrashFlow<A extends AutoCloseable> {

  private final CrashSeries series;
  private final int crashAt;
  private final CrashTrial.Launch<A> launch;
  private final Outside outside = new Outside();
  private final SettableClock clock = new SettableClock();
  private Action<A> request = application -> {};
  private Settling<A> settling = (process, application) -> {};
  private Callable<? extends Collection<String>> observation = List::of;
  private boolean repeatsRequest;

  CrashFlow(CrashSeries series, int crashAt, CrashTrial.Launch<A> launch) {
    this.series = series;
    this.crashAt = crashAt;
    this.launch = launch;
  }

  /**
   * Something that a test does with the application.
   *
   * @param <A> the application
   */
  @FunctionalInterface
  public interface Action<A> {

    /**
     * Does it.
     *
     * @throws Exception where it failed: the test fails, unless the process has crashed
     */
    void on(A application) throws Exception;
  }

  /**
   * How the application finishes its work in the background.
   *
   * @param <A> the application
   */
  @FunctionalInterface
  public interface Settling<A> {

    /**
     * Does it.
     *
     * @throws Exception where it failed: the test fails, unless the process has crashed
     */
    void on(CrashingProcess process, A application) throws Exception;
  }

  /**
   * Says what is asked of the application, such as placing an order. When it returns, the caller
   * has been told of success: all of its effects must then happen. Where the process crashes before
   * that, either all of its effects must happen or none.
   */
  public CrashFlow<A> request(Action<A> value) {
    request = Require.nonNull("request", value);
    return this;
  }

  /**
   * As {@link #request}, for a request with an idempotency key. Where the process crashes before it
   * returns, it is repeated after the restart, as a client would that got no answer, and all of its
   * effects must then have happened once.
   */
  public CrashFlow<A> repeatableRequest(Action<A> value) {
    repeatsRequest = true;
    return request(value);
  }

  /**
   * Says how the application finishes its work in the background: publish, handle, consume. Usually
   * {@link CrashingProcess#drain} and {@link CrashingProcess#consume}.
   */
  public CrashFlow<A> settle(Settling<A> value) {
    settling = Require.nonNull("settle", value);
    return this;
  }

  /**
   * Says how to look at what has happened inside the database: one line for each effect, the same
   * in each run, so without generated ids and times. It is called twice in a run, each time when
   * the application is idle, and adds to the messages and effects that {@link CrashingProcess}
   * records.
   */
  public CrashFlow<A> observe(Callable<? extends Collection<String>> value) {
    observation = Require.nonNull("observe", value);
    return this;
  }

  /**
   * Runs the test.
   *
   * @throws AssertionError where something was lost, or happened twice, or only in part; the text
   *     says what, and at which step the process had crashed. Also where the flow did not reach the
   *     step at which it was to crash
   * @throws Exception what the application throws without a crash
   */
  public void check() throws Exception {
    CrashSteps steps = new CrashSteps(crashAt);
    CrashingProcess process = new CrashingProcess(steps, outside, clock);
    A application = launch.start(process);
    List<String> before;
    boolean returned;
    try {
      before = observed();
      steps.startCounting();
      returned = unlessCrashed(steps, () -> request.on(application));
      if (returned) {
        unlessCrashed(steps, () -> settling.on(process, application));
      }
      steps.stopCounting();
    } finally {
      close(application, steps.hasCrashed());
    }
    if (steps.hasCrashed()) {
      restart(!returned && repeatsRequest);
    }
    judge(steps, before, returned);
  }

  @FunctionalInterface
  private interface Executable {
    void run() throws Exception;
  }

  /** Returns whether it returned; where it failed because of the crash, that is no failure. */
  private static boolean unlessCrashed(CrashSteps steps, Executable action) throws Exception {
    try {
      action.run();
    } catch (Exception | Error e) {
      if (!steps.hasCrashed()) {
        throw e;
      }
    }
    return !steps.hasCrashed();
  }

  private void restart(boolean repeatRequest) throws Exception {
    CrashingProcess process = new CrashingProcess(new CrashSteps(CrashSteps.NEVER), outside, clock);
    A application = launch.start(process);
    try {
      if (repeatRequest) {
        request.on(application);
      }
      settling.on(process, application);
    } finally {
      application.close();
    }
  }

  /** A dead process hands nothing over: the interrupt cuts short what would wait for that. */
  private static void close(AutoCloseable application, boolean crashed) throws Exception {
    if (!crashed) {
      application.close();
      return;
    }
    Thread.currentThread().interrupt();
    try {
      application.close();
    } catch (Exception | CrashError e) {
      // A crashed process closes nothing in order; this only ends its threads.
    } finally {
      Thread.interrupted();
    }
  }

  private void judge(CrashSteps steps, List<String> before, boolean returned) throws Exception {
    List<String> after = observed();
    if (crashAt == CrashSteps.NEVER) {
      series.ranWithoutCrash(steps.taken(), before, after);
      return;
    }
    boolean mayBeNothing = steps.hasCrashed() && !returned && !repeatsRequest;
    boolean isRight = after.equals(series.expected()) || (mayBeNothing && after.equals(before));
    if (isRight && steps.hasCrashed()) {
      return;
    }
    Verdict verdict =
        new Verdict(series.expected(), after, steps.taken(), steps.hasCrashed(), mayBeNothing);
    throw new AssertionError(verdict.text());
  }

  private List<String> observed() throws Exception {
    List<String> lines = new ArrayList<>(outside.observed());
    lines.addAll(observation.call());
    Collections.sort(lines);
    return lines;
  }
}
