// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
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

  /** Runs tasks in this number of threads until all have finished, and returns their results. */
  static <T> List<T> inThreads(int count, IntFunction<Callable<T>> work) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(count);
    try {
      List<T> results = new ArrayList<>();
      for (Future<T> done :
          IntStream.range(0, count).mapToObj(work).map(threads::submit).toList()) {
        results.add(done.get());
      }
      return results;
    } finally {
      close(threads);
    }
  }

  /** Lets what threads are doing come to its end. */
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
