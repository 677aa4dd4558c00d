// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sharing;

import io.outledger.Printable;
import io.outledger.Require;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RelayStatus;
import io.outledger.jdbc.spi.RelayStatus.State;
import io.outledger.jdbc.spi.StatusStore;
import io.outledger.relay.Sharing;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * This process's share of a divided subscription. Each process that can take a partition writes
 * from time to time that it lives, beside the status of its relays, and reads who else does: it
 * takes and keeps as many partitions as are its share. While the database cannot be asked, the
 * share stays as it was.
 *
 * <p>Nothing but fairness depends on it. A lease that nobody takes is taken above the share, and so
 * is one whose owner has handed it over for what it lacks. They are kept until another process
 * comes or goes, and every ten leases one of them is handed back, for somebody else to take.
 *
 * <p>It has no thread: whoever makes it looks from time to time, every tenth of a lease or sooner.
 * Thread-safe.
 */
public final class PartitionShare {

  private static final Logger LOG = LoggerFactory.getLogger(PartitionShare.class);
  private static final int BEATS_IN_LEASE = 3;
  private static final int LEASES_LEFT_TO_OTHERS = 2;
  private static final int LEASES_BETWEEN_OFFERS = 10;
  private static final int UNKNOWN = -1;

  private final CursorKey key;
  private final int partitions;
  private final Duration lease;
  private final StatusStore store;
  private final String instance;
  private final TimeSource time;
  private final TreeSet<Integer> held = new TreeSet<>();
  private final Set<Integer> kept = new LinkedHashSet<>(); // the one that was offered last is last
  private long offeredAt;
  private int share = UNKNOWN;
  private List<String> living = List.of();
  private boolean hasStepped;
  private long steppedAt;
  private boolean isShown;
  private boolean failed;
  private long shownAt;
  private boolean closed;

  /**
   * Where processes show themselves.
   *
   * @param store the table
   * @param instance the name by which this process does, which no other has
   */
  public record Place(StatusStore store, String instance) {

    /**
     * Checks what is given.
     *
     * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
     */
    public Place {
      Require.nonNull("store", store);
      Require.nonNull("instance", instance);
    }
  }

  /**
   * Creates it, without I/O. Until it has seen who lives, this process takes what nobody else does.
   *
   * @param key the subscription's
   * @param partitions how many it has
   * @param lease how long the lease of each lasts
   * @param place where processes show themselves
   * @param time this process's clock
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public PartitionShare(
      CursorKey key, int partitions, Duration lease, Place place, TimeSource time) {
    this.key = Require.nonNull("key", key);
    this.partitions = partitions;
    this.lease = Require.nonNull("lease", lease);
    this.store = Require.nonNull("place", place).store();
    this.instance = place.instance();
    this.time = Require.nonNull("time", time);
  }

  /**
   * Shows this process where it can take a partition, and sees who else does. Not for two threads
   * at once; it throws nothing.
   */
  public void look() {
    if (!isAble()) {
      return;
    }
    try {
      show();
      setShare(store.seen(key));
      failed = false;
    } catch (Throwable e) { // also an error: or the work of who looks would end with it
      LOG.atLevel(failed ? Level.DEBUG : Level.WARN)
          .log(
              "could not look who else runs subscription {}; this process's share of its"
                  + " partitions stays as it was",
              Printable.value(key),
              Printable.trace(e));
      failed = true;
    }
  }

  /** One whose relays are refused, or cannot reach the ledger, takes nothing. */
  private synchronized boolean isAble() {
    return hasStepped && time.nanoTime() - steppedAt <= lease.toNanos();
  }

  private void show() {
    boolean isDue =
        !isShown || time.nanoTime() - shownAt >= lease.dividedBy(BEATS_IN_LEASE).toNanos();
    if (isDue) {
      long now = time.nanoTime();
      String reason = "has %s of %s partitions".formatted(heldCount(), partitions);
      store.write(List.of(entry(new RelayStatus(State.STANDBY, reason, null))));
      shownAt = now;
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
   * All times are of the database's clock, which this process knows by the row that it has written.
   * Those who live have the partitions in the order of their names.
   */
  private synchronized void setShare(Map<String, Instant> seen) {
    Instant written = seen.get(instance);
    if (written == null) {
      isShown = false; // somebody has removed it
      return;
    }
    Instant now = written.plusNanos(time.nanoTime() - shownAt);
    Duration lately = lease.multipliedBy(2).dividedBy(BEATS_IN_LEASE);
    List<String> names =
        seen.entrySet().stream()
            .filter(
                each ->
                    each.getKey().equals(instance)
                        || Duration.between(each.getValue(), now).abs().compareTo(lately) <= 0)
            .map(Map.Entry::getKey)
            .sorted()
            .toList();
    if (!names.equals(living)) {
      kept.clear();
    }
    offerOne();
    living = names;
    boolean hasOneMore = names.indexOf(instance) < partitions % names.size();
    share = partitions / names.size() + (hasOneMore ? 1 : 0);
  }

  /** One at a time, since it stands still until it is seen whether somebody takes it. */
  private void offerOne() {
    boolean isDue =
        time.nanoTime() - offeredAt >= lease.multipliedBy(LEASES_BETWEEN_OFFERS).toNanos();
    if (!kept.isEmpty() && isDue) {
      kept.remove(kept.iterator().next());
      offeredAt = time.nanoTime();
    }
  }

  private void keep(int slot) {
    if (kept.isEmpty()) {
      offeredAt = time.nanoTime();
    }
    kept.add(slot);
  }

  /**
   * Returns what a partition's relay asks.
   *
   * @param slot which of them, from 0
   */
  public Sharing of(int slot) {
    return new Sharing() {
      @Override
      public boolean mayTake(Duration freeFor) {
        return take(slot, freeFor);
      }

      @Override
      public void holds(boolean isOwner) {
        stepped(slot, isOwner);
      }

      @Override
      public void fails() {
        failed(slot);
      }

      @Override
      public boolean givesBack() {
        return isTooMany(slot);
      }
    };
  }

  private synchronized boolean take(int slot, Duration freeFor) {
    boolean isLeft = freeFor.compareTo(lease.multipliedBy(LEASES_LEFT_TO_OTHERS)) >= 0;
    if (closed || (!isLeft && held.size() >= share)) {
      return false;
    }
    if (held.size() >= share) {
      keep(slot);
    }
    held.add(slot); // so that no other relay of this process takes its place meanwhile
    return true;
  }

  private synchronized void stepped(int slot, boolean isOwner) {
    steppedAt = time.nanoTime();
    hasStepped = true;
    if (!isOwner) {
      forget(slot);
    } else if (held.add(slot)) {
      keep(slot);
    }
  }

  /** Until one of its relays gets on again, this process does not count. */
  private synchronized void failed(int slot) {
    hasStepped = false;
    forget(slot);
  }

  private synchronized void forget(int slot) {
    held.remove(slot);
    kept.remove(slot);
  }

  /** The lowest stay. */
  private synchronized boolean isTooMany(int slot) {
    return share != UNKNOWN
        && held.contains(slot)
        && !kept.contains(slot)
        && held.headSet(slot).stream().filter(each -> !kept.contains(each)).count() >= share;
  }

  /** Takes nothing any more, from now on. */
  public synchronized void end() {
    closed = true;
  }

  /** Lets the others know that this process has ended; by who looks, and it throws nothing. */
  public void leave() {
    if (!isShown) {
      return;
    }
    try {
      store.write(List.of(entry(new RelayStatus(State.STOPPED, "", null))));
    } catch (Throwable e) {
      LOG.debug(
          "could not tell that this process ends; the others see that later", Printable.trace(e));
    }
  }
}
