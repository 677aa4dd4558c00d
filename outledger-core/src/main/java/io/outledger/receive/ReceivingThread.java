// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.Printable;
import io.outledger.Require;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * A receiver that runs: a thread that receives, and one that retries what is parked. Both start and
 * end together. How a broker is received from is its module's {@link Receiving}. Thread-safe.
 */
public final class ReceivingThread implements OpenReceiver {

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Receiver<?> receiver;
  private final Receiving receiving;
  private final Runnable waking;
  private final Thread thread;
  private final @Nullable RunningRetries retries;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private volatile @Nullable Throwable failure;

  /** Receives by one consumer of a broker after the other. */
  @FunctionalInterface
  public interface Receiving {

    /**
     * Opens a consumer, and receives until that fails or this is to stop. Called by the thread
     * again and again. What it throws is not told, and it is called again after a pause.
     *
     * @param thread says whether to stop, and waits
     * @return how long to wait before the next call
     */
    Duration receive(ReceivingThread thread);
  }

  private ReceivingThread(String name, Receiver<?> receiver, Receiving receiving, Runnable waking) {
    this.receiver = receiver;
    this.receiving = receiving;
    this.waking = waking;
    this.thread = new Thread(this::run, "outledger-receiver " + Printable.value(name));
    this.retries = receiver.retries().map(RunningRetries::start).orElse(null);
  }

  /**
   * Starts both threads.
   *
   * @param name the receiver's name, for people
   * @param receiver what processes what is received; stepped by this thread alone
   * @param waking has {@link Receiving#receive} return soon, where it waits for something else than
   *     {@link #pause}. Called by any thread, perhaps more than once, when this is to stop
   */
  public static ReceivingThread start(
      String name, Receiver<?> receiver, Receiving receiving, Runnable waking) {
    Require.nonNull("name", name);
    Require.nonNull("receiver", receiver);
    Require.nonNull("receiving", receiving);
    Require.nonNull("waking", waking);
    ReceivingThread running = new ReceivingThread(name, receiver, receiving, waking);
    running.thread.start();
    return running;
  }

  @Override
  public boolean isRunning() {
    return thread.isAlive();
  }

  /** Returns what has {@linkplain #end ended} it; null while it runs, and if it was closed. */
  @Override
  public @Nullable Throwable failure() {
    return failure;
  }

  /** Returns whether it is to stop: {@link Receiving#receive} then returns soon. */
  public boolean isStopping() {
    return stopping.getCount() == 0;
  }

  /**
   * Ends receiving for good, once {@link Receiving#receive} has returned. What is parked is retried
   * even so, until this is closed.
   *
   * @param reason what ended it, printable
   */
  public void end(Throwable with, String reason) {
    Require.nonNull("reason", reason);
    failure = Require.nonNull("with", with);
    receiver.ended(reason);
  }

  /** Waits, but not once this is to stop; an interrupt ends it, and is forgotten. */
  public void pause(Duration longest) {
    if (Require.nonNull("longest", longest).isZero()) {
      return;
    }
    try {
      if (stopping.await(longest.toMillis(), TimeUnit.MILLISECONDS)) {
        receiver.log().say(Level.DEBUG, "stop", () -> "stops");
      }
    } catch (InterruptedException e) { // it was for a handler
      receiver.log().say(Level.DEBUG, "interrupt", () -> "interrupted; continues");
    }
  }

  /**
   * Lets the batch that is being received be the last, and waits for it and for the message that is
   * being retried; an interrupt of the caller interrupts them, and stays. Called by a handler on a
   * thread of this receiver, it waits for nothing. Idempotent.
   */
  @Override
  public void close() {
    stopping.countDown();
    waking.run();
    if (isOwnThread()) {
      if (retries != null) {
        retries.stop();
      }
      return;
    }
    try {
      thread.join();
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
    if (retries != null) {
      retries.close();
    }
    receiver.closed();
    receiver.log().tellRest();
  }

  /** Names the receiver and says whether it runs. */
  @Override
  public String toString() {
    return thread.getName() + (isRunning() ? ", running" : ", ended");
  }

  /** Says whether a handler calls this: neither of the two threads may wait for the other. */
  private boolean isOwnThread() {
    return Thread.currentThread() == thread || (retries != null && retries.isOwnThread());
  }

  private void run() {
    while (!isStopping() && failure == null) {
      pause(receiveOrPause());
    }
    if (isStopping()) {
      receiver.closed();
    }
    receiver.log().tellRest(); // a handler that closed this did not wait
  }

  private Duration receiveOrPause() {
    try {
      return receiving.receive(this);
    } catch (Throwable e) { // there was no memory even to tell of a failure
      return PAUSE;
    }
  }
}
