// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.jdbc.sharing.PartitionShare;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The thread on which a process looks at its share of a divided subscription. Thread-safe. */
final class ShareLooks implements AutoCloseable {

  private static final Duration LOOK = Duration.ofMillis(250);
  private static final int LOOKS_IN_LEASE = 10;

  private final PartitionShare share;
  private final Duration lease;
  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(1, ShareLooks::daemon);

  ShareLooks(PartitionShare share, Duration lease) {
    this.share = share;
    this.lease = lease;
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "outledger-share");
    thread.setDaemon(true);
    return thread;
  }

  /** Begins to look. */
  @SuppressWarnings("FutureReturnValueIgnored") // it throws nothing
  void start() {
    long tenth = lease.dividedBy(LOOKS_IN_LEASE).toMillis();
    long pause = Math.min(LOOK.toMillis(), tenth);
    thread.scheduleWithFixedDelay(share::look, 0, pause, TimeUnit.MILLISECONDS);
  }

  /** Lets the others know at once that this process ends, and waits for nothing. */
  @Override
  public synchronized void close() { // each relay that ends closes it, and they may do so at once
    share.end();
    if (!thread.isShutdown()) {
      thread.execute(share::leave);
      thread.shutdown();
    }
  }
}
