// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.OutledgerException;
import io.outledger.Printable;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Purges again and again, on a daemon thread of its own, until it is closed. Any number may run, in
 * any number of processes: they wait for each other. A purge that fails is logged and tried again
 * at its next time. Thread-safe.
 */
public final class RunningRetention implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RunningRetention.class);
  private static final long END_SECONDS_MAX = 10;

  private final Retention retention;
  private final Duration messages;
  private final Duration inbox;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(RunningRetention::daemon);

  private RunningRetention(Retention retention, Duration messages, Duration inbox) {
    this.retention = retention;
    this.messages = messages;
    this.inbox = inbox;
  }

  @SuppressWarnings(
      "FutureReturnValueIgnored") // it ends with its thread, and purge() throws nothing
  static RunningRetention start(
      Retention retention, Duration messages, Duration inbox, Duration every) {
    RunningRetention running = new RunningRetention(retention, messages, inbox);
    running.thread.scheduleWithFixedDelay(
        running::purge, 0, every.toMillis(), TimeUnit.MILLISECONDS);
    return running;
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "outledger-retention");
    thread.setDaemon(true);
    return thread;
  }

  private void purge() {
    try {
      long removedMessages = retention.purgeMessages(messages);
      long removedRecords = retention.purgeInbox(inbox);
      if (removedMessages + removedRecords > 0) {
        LOG.info(
            "retention removed {} messages older than {} and {} inbox records older than {}",
            removedMessages,
            messages,
            removedRecords,
            inbox);
      }
    } catch (OutledgerException e) {
      LOG.warn("retention failed; it is tried again at its next time: {}", e.getMessage());
    } catch (Throwable e) {
      LOG.error("retention failed; it is tried again at its next time", Printable.trace(e));
    }
  }

  /** Ends it, after the range that is being removed. Idempotent. */
  @Override
  public void close() {
    thread.shutdownNow();
    try {
      if (!thread.awaitTermination(END_SECONDS_MAX, TimeUnit.SECONDS)) {
        LOG.warn("retention still removes a range; its thread ends after that");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
