// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that works until it is closed. */
final class Background implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Background.class);
  private static final long PATIENCE_SECONDS = 60;

  private final ScheduledExecutorService thread;
  private volatile boolean isClosed;

  Background(String name) {
    thread = Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, name));
  }

  /** Work that may fail. */
  interface Work {
    void run() throws Exception;
  }

  /** Does it once. */
  void run(Work work) {
    thread.execute(() -> attempt(work));
  }

  /** Does it again and again, with so long a pause each time. */
  void repeat(Work work, Duration pause) {
    Future<?> unused =
        thread.scheduleWithFixedDelay(
            () -> attempt(work), 0, pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void attempt(Work work) {
    try {
      work.run();
    } catch (Exception e) {
      if (!isClosed) {
        LOG.error("the work in the background failed", e);
      }
    }
  }

  /** Whether its work should come to an end. */
  boolean isClosed() {
    return isClosed;
  }

  /** Lets what is being done come to its end, and returns. */
  @Override
  public void close() {
    isClosed = true;
    thread.shutdownNow();
    close(thread);
  }

  /** Closes threads in the same way. */
  static void close(ExecutorService threads) {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("the work in the background goes on");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
