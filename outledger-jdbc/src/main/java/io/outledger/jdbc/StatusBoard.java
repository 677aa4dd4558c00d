// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Printable;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RelayStatus;
import io.outledger.jdbc.spi.StatusStore;
import io.outledger.relay.listener.RelayListener;
import io.outledger.time.TimeSource;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Writes the status of this process's relays into the status table when it changes. It has its own
 * thread and short connections, so that it can neither delay nor stop a relay. Of quick changes it
 * writes the last; a write that fails is repeated. Thread-safe.
 */
final class StatusBoard implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StatusBoard.class);
  private static final Duration GATHER = Duration.ofMillis(100);
  private static final Duration RETRY = Duration.ofSeconds(5);
  private static final Duration IDLE = Duration.ofSeconds(5);
  private static final Duration LAST_WRITE_MAX = Duration.ofSeconds(2);

  private final StatusStore store;
  private final InstanceName instance;
  private final TimeSource time;
  private final ScheduledThreadPoolExecutor thread;
  private final Map<Place, Change> changes = new HashMap<>();
  private final Map<CursorKey, Integer> relays = new HashMap<>();
  private boolean failed;
  private boolean scheduled;
  private boolean closed;

  private record Place(CursorKey key, int number) {}

  private record Change(RelayStatus status, long since) {}

  StatusBoard(StatusStore store, InstanceName instance, TimeSource time) {
    this.store = store;
    this.instance = instance;
    this.time = time;
    this.thread = new ScheduledThreadPoolExecutor(1, StatusBoard::daemon);
    thread.setKeepAliveTime(IDLE.toMillis(), TimeUnit.MILLISECONDS);
    thread.allowCoreThreadTimeOut(true);
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "outledger-status");
    thread.setDaemon(true);
    return thread;
  }

  /** Returns what hears of a relay and tells of it here. */
  synchronized RelayListener listener(CursorKey key) {
    Place place = new Place(key, relays.merge(key, 1, Integer::sum));
    return new StatusListener(status -> changed(place, status), time);
  }

  /** Returns this process's name for what it declares, without looking its host's name up. */
  String instance() {
    return instance.withoutHost();
  }

  /** Returns the table, for what is written beside the relays' status. */
  StatusStore store() {
    return store;
  }

  /** Returns a name for a row beside the relays', which no other one has. */
  String ownName() {
    return instance.ofRelay(1) + " " + Long.toHexString(new SecureRandom().nextLong());
  }

  private synchronized void changed(Place place, RelayStatus status) {
    changes.put(place, new Change(status, time.nanoTime()));
    schedule(GATHER);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // what it throws, it has logged
  private synchronized void schedule(Duration delay) {
    if (!scheduled && !closed) {
      thread.schedule(this::write, delay.toMillis(), TimeUnit.MILLISECONDS);
      scheduled = true; // only now: it throws where there is no room for another thread
    }
  }

  private void write() {
    Map<Place, Change> now = take();
    if (now.isEmpty()) {
      return;
    }
    try {
      store.write(entries(now));
      failed = false;
    } catch (Throwable e) { // an error must not lose the changes either
      putBack(now);
      LOG.atLevel(failed ? Level.DEBUG : Level.WARN)
          .log("could not write the status of relays; the relays continue: {}", e.getMessage());
      failed = true;
      schedule(RETRY);
    }
  }

  private List<StatusStore.Entry> entries(Map<Place, Change> now) {
    return now.entrySet().stream()
        .map(
            entry ->
                new StatusStore.Entry(
                    entry.getKey().key(),
                    instance.ofRelay(entry.getKey().number()),
                    entry.getValue().status(),
                    Duration.ofNanos(time.nanoTime() - entry.getValue().since())))
        .toList();
  }

  private synchronized Map<Place, Change> take() {
    scheduled = false;
    Map<Place, Change> now = Map.copyOf(changes);
    changes.clear();
    return now;
  }

  private synchronized void putBack(Map<Place, Change> now) {
    now.forEach(changes::putIfAbsent);
  }

  /** Writes what is left to write, if it can at once; after the relays have been closed. */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    try {
      thread.submit(this::write).get(LAST_WRITE_MAX.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      LOG.debug("could not write the final status of relays", Printable.trace(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      thread.shutdownNow();
    }
  }
}
