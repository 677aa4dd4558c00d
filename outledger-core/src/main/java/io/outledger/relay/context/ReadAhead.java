// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.context;

import io.outledger.Require;
import io.outledger.store.Page;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Where a relay prefetches its next page while the previous one is dispatched. A relay begins one
 * read at a time, and waits for it before it asks its store for anything else.
 */
@FunctionalInterface
public interface ReadAhead {

  /** Reads at once, on the relay's own thread: for tests that take one step after the other. */
  ReadAhead AT_ONCE =
      read -> {
        Page page = read.get();
        return () -> page;
      };

  /**
   * Begins to read.
   *
   * @param read reads the page
   * @return waits for the page, or throws what the read has thrown; an interrupt does not end the
   *     waiting, and stays set
   */
  Supplier<Page> begin(Supplier<Page> read);

  /**
   * Reads on a thread of its own, which is there only while there is a backlog to read.
   *
   * @param name the thread's name
   */
  static ReadAhead onThread(String name) {
    Require.nonNull("name", name);
    Duration idle = Duration.ofSeconds(5);
    ThreadPoolExecutor reader =
        new ThreadPoolExecutor(
            1, 1, idle.toMillis(), TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>());
    reader.allowCoreThreadTimeOut(true);
    reader.setThreadFactory(
        work -> {
          Thread thread = new Thread(work, name);
          thread.setDaemon(true);
          return thread;
        });
    return read -> begin(reader, read);
  }

  private static Supplier<Page> begin(ExecutorService reader, Supplier<Page> read) {
    FutureTask<Page> reading = new FutureTask<>(read::get);
    reader.execute(reading);
    return () -> await(reading);
  }

  private static Page await(FutureTask<Page> reading) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return reading.get();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          throw thrown(e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static RuntimeException thrown(ExecutionException e) {
    Throwable cause = e.getCause();
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException known ? known : new IllegalStateException(e);
  }
}
