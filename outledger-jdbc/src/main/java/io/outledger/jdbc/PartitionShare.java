// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Printable;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RelayStatus;
import io.outledger.jdbc.spi.RelayStatus.State;
import io.outledger.jdbc.spi.StatusStore;
import io.outledger.relay.Sharing;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * This process's share of a divided subscription. Each process writes from time to time that it
 * lives, beside the status of its relays, and reads who else does: it takes and keeps as many
 * partitions as are its share. Nothing but fairness depends on it. While the database cannot be
 * asked, the share stays as it was. Thread-safe.
 */
final class PartitionShare implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PartitionShare.class);
  private static final Duration LOOK = Duration.ofMillis(250);
  private static final int LOOKS_IN_LEASE = 10;
  private static final int BEATS_IN_LEASE = 3;

  private final CursorKey key;
  private final int partitions;
  private final Duration lease;
  private final StatusStore store;
  private final String instance;
  private final TimeSource time;
  private final ScheduledThreadPoolExecutor thread;
  private final TreeSet<Integer> held = new TreeSet<>();
  private int share;
  private boolean isShown;
  private boolean failed;
  private long shownAt;

  PartitionShare(
      CursorKey key, int partitions, Duration lease, StatusBoard statuses, TimeSource time) {
    this.key = key;
    this.partitions = partitions;
    this.lease = lease;
    this.store = statuses.store();
    this.instance = statuses.ownName();
    this.time = time;
    this.thread = new ScheduledThreadPoolExecutor(1, PartitionShare::daemon);
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "outledger-share");
    thread.setDaemon(true);
    return thread;
  }

  /** Begins to look; until it has seen who lives, this process takes nothing. */
  @SuppressWarnings("FutureReturnValueIgnored") // what it throws, it has logged
  void start() {
    long tenth = lease.dividedBy(LOOKS_IN_LEASE).toMillis();
    long pause = Math.min(LOOK.toMillis(), tenth);
    thread.scheduleWithFixedDelay(this::look, 0, pause, TimeUnit.MILLISECONDS);
  }

  private void look() {
    try {
      show();
      setShare(store.seen(key));
      failed = false;
    } catch (Throwable e) { // also an error: or this thread's work would end with it
      LOG.atLevel(failed ? Level.DEBUG : Level.WARN)
          .log(
              "could not look who else runs subscription {}; this process's share of its"
                  + " partitions stays as it was: {}",
              Printable.value(key),
              Printable.trace(e));
      failed = true;
    }
  }

  private void show() {
    boolean isDue =
        !isShown || time.nanoTime() - shownAt >= lease.dividedBy(BEATS_IN_LEASE).toNanos();
    if (isDue) {
      shownAt = time.nanoTime();
      String reason = "has %s of %s partitions".formatted(heldCount(), partitions);
      store.write(List.of(entry(new RelayStatus(State.STANDBY, reason, null))));
      isShown = true;
    }
  }

  private StatusStore.Entry entry(RelayStatus status) {
    return new StatusStore.Entry(key, instance, status, Duration.ZERO);
  }

  private synchronized int heldCount() {
    return held.size();
  }

  /**
   * All times are of the database's clock; the newest is about now, since this one shows itself.
   */
  private synchronized void setShare(Collection<Instant> seen) {
    Instant newest = seen.isEmpty() ? Instant.MIN : Collections.max(seen);
    Duration lately = lease.multipliedBy(2).dividedBy(BEATS_IN_LEASE);
    long live =
        seen.stream().filter(each -> Duration.between(each, newest).compareTo(lately) <= 0).count();
    long least = Math.max(1, live);
    share = (int) ((partitions + least - 1) / least);
  }

  /** Returns what a partition's relay asks. */
  Sharing of(int slot) {
    return new Sharing() {
      @Override
      public boolean mayTake() {
        return take(slot);
      }

      @Override
      public void holds(boolean isOwner) {
        note(slot, isOwner);
      }

      @Override
      public boolean givesBack() {
        return isTooMany(slot);
      }
    };
  }

  private synchronized boolean take(int slot) {
    boolean mayTake = held.size() < share;
    if (mayTake) {
      held.add(slot); // so that no other relay of this process takes its place meanwhile
    }
    return mayTake;
  }

  private synchronized void note(int slot, boolean isOwner) {
    if (isOwner) {
      held.add(slot);
    } else {
      held.remove(slot);
    }
  }

  /** The lowest stay. */
  private synchronized boolean isTooMany(int slot) {
    return share > 0 && held.contains(slot) && held.headSet(slot).size() >= share;
  }

  /** Lets the others know at once that this process ends, and waits for nothing. */
  @Override
  public void close() {
    synchronized (this) {
      share = 0;
    }
    if (!thread.isShutdown()) {
      thread.execute(this::leave);
      thread.shutdown();
    }
  }

  private void leave() {
    try {
      store.write(List.of(entry(new RelayStatus(State.STOPPED, "", null))));
    } catch (Throwable e) {
      LOG.debug(
          "could not tell that this process ends; the others see that later", Printable.trace(e));
    }
  }
}
