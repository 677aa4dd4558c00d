// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Delivery;
import io.outledger.Printable;
import io.outledger.log.QuietLog;
import io.outledger.relay.context.Wakeup;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Moves scheduled messages into the ledger when they are due, on a daemon thread of its own, until
 * it is closed. It sleeps until the next one is due; once a second it looks whether another process
 * has scheduled an earlier one. Any number may run, in any number of processes: one moves at a
 * time. A pass that fails is logged and tried again. Thread-safe.
 */
final class RunningMover implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RunningMover.class);
  private static final long END_MILLIS_MAX = TimeUnit.SECONDS.toMillis(10);
  private static final String PASS = "pass";

  private final ScheduledMover mover;
  private final TimeSource time;
  private final QuietLog log;
  private final Wakeup wakeup = new Wakeup();
  private final Thread thread = new Thread(this::run, "outledger-mover");
  private final MissingRights rights;

  private RunningMover(ScheduledMover mover, TimeSource time) {
    this.mover = mover;
    this.time = time;
    this.log = new QuietLog(RunningMover.class, "scheduled messages", time);
    this.rights = new MissingRights(LOG, mover::lacksRight);
  }

  static RunningMover start(ScheduledMover mover, TimeSource time) {
    RunningMover running = new RunningMover(mover, time);
    running.thread.setDaemon(true);
    running.thread.start();
    return running;
  }

  /** Has it look again, where the next look would come too late for a message. */
  void scheduled(Delivery when) {
    Duration in =
        when.time().isPresent() ? Duration.between(time.now(), when.time().get()) : when.delay();
    if (in.compareTo(ScheduledMover.LOOK) < 0) {
      wakeup.signal();
    }
  }

  private void run() {
    while (!mover.isStopped()) {
      Duration next = pass();
      try {
        wakeup.await(next);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private Duration pass() {
    try {
      Duration next = mover.pass();
      log.over(PASS);
      return next;
    } catch (Throwable e) {
      return failed(e);
    }
  }

  /** Returns when to try again. The database's failures are told by the relays, too. */
  private Duration failed(Throwable failure) {
    if (rights.caused(failure)) {
      rights.tell(
          "move scheduled messages into the ledger",
          "SELECT, UPDATE and DELETE on outledger_scheduled, SELECT, INSERT and UPDATE on"
              + " outledger_mover, and what an outbox needs",
          failure);
      return MissingRights.LOOK;
    }
    String reason = Printable.text(failure);
    log.fails(
        Level.WARN,
        PASS,
        reason,
        () -> "could not move scheduled messages into the ledger; trying again: " + reason);
    return ScheduledMover.LOOK;
  }

  /** Ends it, after the batch that is being moved. Idempotent. */
  @Override
  public void close() {
    mover.stop();
    wakeup.signal();
    try {
      thread.join(END_MILLIS_MAX);
      if (thread.isAlive()) {
        thread.interrupt();
        LOG.warn("scheduled messages are still being moved; the thread ends after this batch");
      }
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }
}
