// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An intake that receives on a thread of its own. Thread-safe. After a crash the group's other
 * members take over, from what was committed.
 */
public final class RunningIntake implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RunningIntake.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final IntakeLoop loop;
  private final Thread thread;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private volatile @Nullable Throwable failure;

  private RunningIntake(String name, IntakeLoop loop) {
    this.loop = loop;
    this.thread = new Thread(this::run, "outledger-intake " + name);
  }

  static RunningIntake start(String name, IntakeLoop loop) {
    RunningIntake running = new RunningIntake(name, loop);
    running.thread.start();
    return running;
  }

  /** Says whether it still receives; not so after {@link #close} or a failure that ended it. */
  public boolean isRunning() {
    return thread.isAlive();
  }

  /**
   * Returns what ended it; null while it runs and where it was closed. Outages and records that
   * fail do not end it.
   */
  public @Nullable Throwable failure() {
    return failure;
  }

  /**
   * Finishes the batch that is being received, commits, and leaves the group, so that other members
   * take over at once. Waits for that; an interrupt of the caller interrupts the batch, and stays.
   * Idempotent.
   */
  @Override
  public void close() {
    loop.stop();
    stopping.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      while (!loop.isStopping()) {
        step();
      }
    } catch (InterruptException e) {
      failure = loop.isStopping() ? null : e;
      LOG.warn("The Kafka intake was interrupted: {}", thread.getName());
    } catch (Throwable e) { // whatever it is, the group must not count on this member any longer
      failure = e;
      LOG.error("The Kafka intake has ended: {}", thread.getName(), e);
      throw e;
    } finally {
      leave();
    }
  }

  private void step() {
    try {
      loop.step();
    } catch (InterruptException | FencedInstanceIdException e) {
      throw e;
    } catch (KafkaException e) {
      LOG.error("Kafka cannot be read now; trying again: {}", thread.getName(), e);
      pause();
    }
  }

  private void pause() {
    try {
      if (stopping.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.debug("Stopping while Kafka cannot be read");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptException(e);
    }
  }

  private void leave() {
    try {
      loop.close();
    } catch (KafkaException e) {
      LOG.warn("The group was not left cleanly: {}", thread.getName(), e);
    }
  }
}
