// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Printable;
import io.outledger.jdbc.spi.RequestStep;
import io.outledger.log.QuietLog;
import io.outledger.time.TimeSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Looks once a second for operators' requests and carries them out, on a daemon thread of its own,
 * until it is closed. Any number may run, in any number of processes: each step is done by one of
 * them. A step that fails is logged and done again. Thread-safe.
 */
final class RunningRequests implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RunningRequests.class);
  private static final long LOOK_MILLIS = 1_000;
  private static final long END_SECONDS_MAX = 10;
  private static final int STEPS_MAX = 100;
  private static final int PAGES_MAX = 3;
  private static final String LOOK = "look";
  private static final String STEP = "step";

  private final RequestExecutor executor;
  private final QuietLog log;
  private final MissingRights rights;

  /** How many requests that wait longest this process has to leave to others, as far as it saw. */
  private int left;

  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(1, RunningRequests::daemon);

  private RunningRequests(RequestExecutor executor, TimeSource time) {
    this.executor = executor;
    this.log = new QuietLog(RunningRequests.class, "requests", time);
    this.rights = new MissingRights(LOG, executor::lacksRight);
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false); // or close waits for a look
  }

  static RunningRequests start(RequestExecutor executor, TimeSource time) {
    RunningRequests running = new RunningRequests(executor, time);
    running.lookIn(LOOK_MILLIS);
    return running;
  }

  @SuppressWarnings(
      "FutureReturnValueIgnored") // it ends with its thread, and look() throws nothing
  private void lookIn(long millis) {
    try {
      thread.schedule(this::look, millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("no more looking for requests: closed", Printable.trace(e));
    }
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "outledger-requests");
    thread.setDaemon(true);
    return thread;
  }

  private void look() {
    long next = LOOK_MILLIS;
    try {
      boolean isMore = true;
      for (int page = 0; isMore && page < PAGES_MAX; page++) {
        List<UUID> due = executor.due(left);
        log.over(LOOK);
        if (due.isEmpty()) {
          log.over(STEP);
        }
        for (UUID id : due) {
          Carried carried = carryOut(id);
          left += carried.isLeft() ? 1 : 0;
          next = Math.min(next, carried.millis());
        }
        isMore = left > 0 && due.size() == RequestExecutor.DUE_MAX;
        left = isMore ? left : 0;
      }
    } catch (Throwable e) {
      failed(LOOK, "look for operators' requests", e);
      next = rights.caused(e) ? MissingRights.LOOK.toMillis() : LOOK_MILLIS;
    }
    lookIn(next);
  }

  /**
   * What became of a request that was due.
   *
   * @param isLeft whether it is due as before, since others have to do it: whoever has the rights
   *     for it, knows its verb, or is at it
   * @param millis how long until the next step
   */
  private record Carried(boolean isLeft, long millis) {

    static final Carried LEFT = new Carried(true, LOOK_MILLIS);

    static Carried of(RequestStep step) {
      return new Carried(false, step.state().isOver() ? LOOK_MILLIS : step.next().toMillis());
    }
  }

  /** Does the steps of a request that are due, for a while; one that fails keeps no other. */
  private Carried carryOut(UUID id) {
    try {
      Optional<RequestStep> step;
      int steps = 0;
      do {
        step = executor.step(id);
      } while (step.isPresent()
          && !step.get().state().isOver()
          && step.get().next().isZero()
          && ++steps < STEPS_MAX
          && !thread.isShutdown());
      return step.map(Carried::of).orElse(Carried.LEFT);
    } catch (Throwable e) {
      failed(STEP, "carry out request " + id, e);
      return putOff(id, e);
    }
  }

  /** Another process may have the rights that this one lacks. */
  private Carried putOff(UUID id, Throwable failure) {
    if (rights.caused(failure)) {
      return Carried.LEFT;
    }
    try {
      executor.putOff(id);
      return new Carried(false, LOOK_MILLIS);
    } catch (RuntimeException e) {
      LOG.debug("could not put off request {}", id, Printable.trace(e));
      return Carried.LEFT;
    }
  }

  // The database's failures are told by the relays, too.
  private void failed(String kind, String doing, Throwable failure) {
    if (rights.caused(failure)) {
      rights.tell(doing, "the rights of an operator", failure);
    } else {
      String reason = Printable.text(failure);
      log.fails(Level.WARN, kind, reason, () -> "could not " + doing + "; trying again: " + reason);
    }
  }

  /** Ends it, after the step that is running. Idempotent. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(END_SECONDS_MAX, TimeUnit.SECONDS)) {
        thread.shutdownNow();
        LOG.warn("a request is still being carried out; its thread ends after this step");
      }
    } catch (InterruptedException e) {
      thread.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
