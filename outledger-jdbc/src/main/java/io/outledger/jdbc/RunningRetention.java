// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.OutledgerException;
import io.outledger.Printable;
import io.outledger.Setting;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Purges again and again, on a daemon thread of its own, until it is closed. Any number may run, in
 * any number of processes: they wait for each other. A purge that fails is logged and tried again
 * at its next time; a right that is missing is logged once. Thread-safe.
 */
public final class RunningRetention implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RunningRetention.class);
  private static final long END_SECONDS_MAX = 10;

  private final Retention retention;
  private final Duration messages;
  private final InboxPurge inboxes;
  private boolean hasWarnedOfRights;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(RunningRetention::daemon);

  private RunningRetention(Retention retention, Duration messages, InboxPurge inboxes) {
    this.retention = retention;
    this.messages = messages;
    this.inboxes = inboxes;
  }

  @SuppressWarnings(
      "FutureReturnValueIgnored") // it ends with its thread, and purge() throws nothing
  static RunningRetention start(
      Retention retention, Duration messages, InboxPurge inboxes, Duration every) {
    RunningRetention running = new RunningRetention(retention, messages, inboxes);
    LOG.info(
        "retention removes messages older than {} that every subscription is done with, and inbox"
            + " records older than {} {}, now and every {};"
            + " {} turns retention off",
        Printable.span(messages),
        Printable.span(inboxes.age()),
        inboxes.whose(),
        Printable.span(every),
        Setting.RETENTION);
    running.thread.scheduleWithFixedDelay(
        running::purge, 0, TimeUnit.MILLISECONDS.convert(every), TimeUnit.MILLISECONDS);
    return running;
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "outledger-retention");
    thread.setDaemon(true);
    return thread;
  }

  private void purge() {
    purge("messages", messages, () -> retention.purgeMessages(messages));
    purge("inbox records", inboxes.age(), inboxes.run());
    purge("requests", retention.auditAge(), retention::purgeRequests);
  }

  private void purge(String what, Duration age, LongSupplier purging) {
    try {
      long removed = purging.getAsLong();
      if (removed > 0) {
        LOG.info("retention removed {} {} older than {}", removed, what, Printable.span(age));
      }
    } catch (OutledgerException e) {
      warn(what, e);
    } catch (Throwable e) {
      LOG.error(
          "retention could not remove {}; retrying at the next run", what, Printable.trace(e));
    }
  }

  // Rights are missing until somebody grants them: once is enough.
  private void warn(String what, OutledgerException failure) {
    Optional<String> rights = retention.missingRights(failure);
    if (rights.isEmpty()) {
      LOG.warn(
          "retention could not remove {}; retrying at the next run: {}",
          what,
          failure.getMessage());
    } else if (!hasWarnedOfRights) {
      hasWarnedOfRights = true;
      LOG.warn(
          "retention lacks the rights to remove {}, so tables grow. Grant the rights to its role,"
              + " or turn retention off here ({}) and run it elsewhere: {}. {}",
          what,
          Setting.RETENTION,
          rights.get(),
          failure.getMessage());
    }
  }

  /** Ends it, after the range that is being removed. Idempotent. */
  @Override
  public void close() {
    thread.shutdownNow();
    try {
      if (!thread.awaitTermination(END_SECONDS_MAX, TimeUnit.SECONDS)) {
        LOG.warn("retention is still deleting rows; its thread ends after this step");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
