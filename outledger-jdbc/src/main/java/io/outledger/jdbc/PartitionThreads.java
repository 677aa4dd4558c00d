// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * A partition's part of a handler's threads, which the partitions of this process share: at most so
 * many at a time, so that a partition whose handler is stuck leaves some to the others.
 */
final class PartitionThreads implements Executor {

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

  private void begin(Runnable task) {
    try {
      all.execute(() -> run(task));
    } catch (Throwable e) { // no room for another thread
      ended();
      throw e;
    }
  }

  private void run(Runnable task) {
    try {
      task.run();
    } finally {
      ended();
    }
  }

  /** What waits goes to the end of the shared queue, so that the partitions take turns. */
  private void ended() {
    Runnable next;
    synchronized (this) {
      next = waiting.poll();
      if (next == null) {
        running--;
        return;
      }
    }
    begin(next);
  }
}
