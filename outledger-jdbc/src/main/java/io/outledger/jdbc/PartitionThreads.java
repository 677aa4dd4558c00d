// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Printable;
import io.outledger.publish.RecallingExecutor;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A partition's part of a handler's threads, which the partitions of this process share: at most so
 * many at a time, so that a partition whose handler is stuck leaves some to the others.
 */
final class PartitionThreads implements RecallingExecutor {

  private static final Logger LOG = LoggerFactory.getLogger(PartitionThreads.class);

  private final Executor all;
  private final int most;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private int running;

  PartitionThreads(Executor all, int most) {
    this.all = all;
    this.most = most;
  }

  @Override
  public void execute(Runnable task) {
    synchronized (this) {
      if (running == most) {
        waiting.add(task);
        return;
      }
      running++;
    }
    begin(task);
  }

  /** What is with the shared threads already, as many as run at a time, stays there. */
  @Override
  public synchronized void recall(Predicate<Runnable> which) {
    waiting.removeIf(which);
  }

  private void begin(Runnable task) {
    try {
      all.execute(() -> run(task));
    } catch (Throwable e) { // no room for another thread; what waits is taken by those that run
      synchronized (this) {
        running--;
      }
      throw e;
    }
  }

  private void run(Runnable task) {
    try {
      task.run();
    } finally {
      Runnable next = next();
      if (next != null) {
        goOn(next);
      }
    }
  }

  private synchronized @Nullable Runnable next() {
    Runnable next = waiting.poll();
    if (next == null) {
      running--;
    }
    return next;
  }

  /**
   * What waits goes to the end of the shared queue, so that the partitions take turns. Where there
   * is no room for another thread, this one goes on with it: nobody else would.
   */
  private void goOn(Runnable next) {
    boolean isQueued = true;
    try {
      all.execute(() -> run(next));
    } catch (Throwable e) {
      LOG.debug("this thread goes on, since another one cannot be had", Printable.trace(e));
      isQueued = false;
    }
    if (!isQueued) {
      run(next);
    }
  }
}
