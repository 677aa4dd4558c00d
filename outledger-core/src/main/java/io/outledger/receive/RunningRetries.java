// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.Printable;
import io.outledger.Require;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.event.Level;

/**
 * Steps a consumer's retries on a thread of its own, every second and at once while messages
 * recover. Thread-safe.
 */
public final class RunningRetries implements AutoCloseable {

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final ParkedRetries retries;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final Thread thread;

  private RunningRetries(ParkedRetries retries) {
    this.retries = retries;
    this.thread = new Thread(this::run, "outledger-parked " + Printable.value(retries.consumer()));
  }

  /** Starts the thread. */
  public static RunningRetries start(ParkedRetries retries) {
    Require.nonNull("retries", retries);
    RunningRetries running = new RunningRetries(retries);
    running.thread.setDaemon(true);
    running.thread.start();
    return running;
  }

  /** Lets the message that is being tried be the last, and waits for nothing. Idempotent. */
  public void stop() {
    stopping.countDown();
  }

  /** Says whether the caller is called by these retries, as a handler of theirs is. */
  public boolean isOwnThread() {
    return Thread.currentThread() == thread;
  }

  /**
   * Lets the message that is being tried be the last, and waits for it; an interrupt of the caller
   * interrupts it, and stays. Called by the retries' own thread, as by a handler, it waits for
   * nothing. Idempotent.
   */
  @Override
  public void close() {
    stop();
    if (isOwnThread()) {
      return;
    }
    try {
      thread.join();
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    while (!isStopping()) {
      if (step() == 0) {
        pause();
      }
    }
  }

  private boolean isStopping() {
    return stopping.getCount() == 0;
  }

  /** Throws nothing, and says after a failure that there is no hurry. */
  private int step() {
    try {
      return stepOrTell();
    } catch (Throwable e) { // there was no memory even to tell of a failure
      return 0;
    }
  }

  private int stepOrTell() {
    try {
      return retries.step(this::isStopping);
    } catch (Throwable e) { // the next step may fare better
      retries
          .log()
          .fails(
              Level.ERROR,
              "retries",
              () -> "retrying parked messages failed; next attempt in " + Printable.span(PAUSE),
              e);
      return 0;
    }
  }

  private void pause() {
    try {
      if (stopping.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
        retries.log().say(Level.DEBUG, "stop", () -> "stops retrying parked messages");
      }
    } catch (InterruptedException e) { // it was for a handler
      retries.log().say(Level.DEBUG, "interrupt", () -> "interrupted; continues to retry");
    }
  }
}
