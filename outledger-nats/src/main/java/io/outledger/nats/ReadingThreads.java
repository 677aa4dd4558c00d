// SPDX-License-Identifier: Apache-2.0
package io.outledger.nats;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Threads for a connection's reader. NATS's client ends its reader at headers that it cannot read,
 * says so to nobody, and leaves the connection open; whoever uses it would wait for every answer in
 * vain. So these tell of it.
 */
final class ReadingThreads extends ThreadPoolExecutor {

  private static final Duration IDLE_MAX = Duration.ofSeconds(1);

  private final Runnable failed;

  /**
   * Creates them. They end by themselves.
   *
   * @param failed is run once a reader has ended by a failure
   */
  ReadingThreads(Runnable failed) {
    super(
        0,
        Integer.MAX_VALUE,
        IDLE_MAX.toMillis(),
        TimeUnit.MILLISECONDS,
        new SynchronousQueue<>(),
        task -> {
          Thread thread = new Thread(task, "outledger-nats-reader");
          thread.setDaemon(true);
          return thread;
        });
    this.failed = failed;
  }

  @Override
  protected void afterExecute(Runnable reader, @Nullable Throwable failure) {
    if (failure != null || hasFailed(reader)) {
      failed.run();
    }
  }

  private static boolean hasFailed(Runnable reader) {
    if (reader instanceof Future<?> reading && reading.isDone()) {
      try {
        var unused = reading.get();
      } catch (ExecutionException e) {
        return true;
      } catch (CancellationException e) {
        return false;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return false;
  }
}
