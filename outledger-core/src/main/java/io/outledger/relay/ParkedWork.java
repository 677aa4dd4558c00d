// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.Printable;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.RelayStore;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings parked messages back to their lanes when their time has come. */
final class ParkedWork {

  private static final Logger LOG = LoggerFactory.getLogger(ParkedWork.class);
  private static final int ROWS_MAX = 200;
  private static final int KEYS_MAX = 50;

  /** A store returns fewer rows where they are large. */
  private static final long BYTES_OF_MANY = 1L << 20;

  private static final long SWEEP_NANOS = 1_000_000_000L;
  private static final long FULL_NANOS = 50_000_000L; // while a lane has no room for more
  private static final long COUNT_ELSEWHERE_NANOS = 600_000_000_000L;

  private final RelayStore store;
  private final RelayContext context;
  private final Unsaved unsaved;
  private final Map<String, OpenLane> lanes;

  /** The rows that are on their way through their lanes, until the save that tells their fate. */
  private final Set<ParkedPlace> trying = new HashSet<>();

  private long sweepAt;
  private long discardAt;

  /** Where to look on for discards: those that must wait shall not stand before all others. */
  private ParkedPlace discardedTo = ParkedPlace.FIRST;

  private long countElsewhereAt;
  private int broughtBack;

  ParkedWork(RelayStore store, RelayContext context, Unsaved unsaved, Map<String, OpenLane> lanes) {
    this.store = store;
    this.context = context;
    this.unsaved = unsaved;
    this.lanes = lanes;
    this.sweepAt = context.time().nanoTime();
    this.discardAt = sweepAt;
    this.countElsewhereAt = sweepAt;
  }

  /** Notes the changes that a save has made, so that what was tried may be tried again. */
  void saved(List<ParkedChange> changes, long now) {
    for (ParkedChange change : changes) {
      trying.remove(ParkedPlace.of(change));
      if (change instanceof ParkedChange.Park park && park.retryIn() != null) {
        sweepBy(now + park.retryIn().toNanos());
      } else if (change instanceof ParkedChange.Fail fail && fail.retryIn() != null) {
        sweepBy(now + fail.retryIn().toNanos());
      }
    }
  }

  private void sweepBy(long at) {
    sweepAt = Math.min(sweepAt, at);
  }

  /**
   * Brings back what is due, and returns how many rows that were. To be called when nothing is
   * unsaved: the rows are then up to date.
   */
  int bringBack(long now) {
    broughtBack = 0;
    for (OpenLane lane : lanes.values()) {
      for (String key : lane.takeDrainable(KEYS_MAX)) {
        if (lane.hasRoomForRows()) {
          drain(lane, key);
        } else {
          lane.blocks().drainLater(key);
        }
      }
    }
    if (now - sweepAt >= 0) {
      boolean mayBeMore = bringBackDue();
      sweepAt = now + (mayBeMore ? 0 : untilNextSweep());
    }
    if (now - discardAt >= 0) {
      discardAt = now + SWEEP_NANOS;
      discard();
    }
    if (now - countElsewhereAt >= 0) {
      countElsewhereAt = now + COUNT_ELSEWHERE_NANOS;
      warnOfThoseElsewhere();
    }
    return broughtBack;
  }

  private void drain(OpenLane lane, String key) {
    List<ParkedMessage> held = store.held(lane.name(), key, 0, ROWS_MAX);
    if (held.isEmpty()) {
      lane.blocks().forget(key);
    }
    held.forEach(row -> bringBack(lane, row));
  }

  /** Brings back what is due, and returns whether there may be more of it. */
  private boolean bringBackDue() {
    Set<String> ready =
        lanes.values().stream()
            .filter(OpenLane::hasRoomForRows)
            .map(OpenLane::name)
            .collect(Collectors.toSet());
    if (ready.isEmpty()) {
      return false;
    }
    List<ParkedMessage> due = store.due(ready, Set.copyOf(trying), ROWS_MAX);
    long bytes = 0;
    for (ParkedMessage row : due) {
      OpenLane lane = lanes.get(row.lane());
      if (lane != null && trying.add(ParkedPlace.of(row))) {
        bytes += bringBack(lane, row);
      }
    }
    return due.size() == ROWS_MAX || bytes > BYTES_OF_MANY;
  }

  private long untilNextSweep() {
    boolean anyIsFull =
        lanes.values().stream().anyMatch(lane -> !lane.isDown() && !lane.hasRoomForRows());
    return anyIsFull ? FULL_NANOS : SWEEP_NANOS;
  }

  // While another lane has not settled a message, its row must stay: after a crash the message is
  // read again, and only the row tells that this lane is done with it.
  private void discard() {
    List<ParkedMessage> rows = store.discards(discardedTo, ROWS_MAX);
    if (rows.isEmpty() && !discardedTo.equals(ParkedPlace.FIRST)) {
      rows = store.discards(ParkedPlace.FIRST, ROWS_MAX);
    }
    for (ParkedMessage row : rows) {
      if (!unsaved.isSettledInPart(row.position()) && trying.add(ParkedPlace.of(row))) {
        parkingOf(row.lane()).discard(row);
        broughtBack++;
      }
    }
    discardedTo =
        rows.stream().map(ParkedPlace::of).max(Comparator.naturalOrder()).orElse(ParkedPlace.FIRST);
  }

  /** Somebody has to carry out what is asked for a lane that no relay has any more. */
  private LaneParking parkingOf(String name) {
    OpenLane lane = lanes.get(name);
    return lane != null
        ? lane.parking()
        : new LaneParking(
            name,
            context,
            unsaved,
            new KeyBlocks(),
            new ReturningRows(LaneShare.NOTHING, context.time()));
  }

  /** Brings a row back, and returns how many bytes it takes. */
  private long bringBack(OpenLane lane, ParkedMessage row) {
    LedgerMessage origin = new LedgerMessage(row.position(), row.message(), row.unreadable());
    Preparation prepared = lane.prepare(Preparation.of(context.options().steps, origin), origin);
    Delivery delivery = Delivery.of(origin, row, prepared);
    broughtBack++;
    if (prepared.isSkipped()) {
      lane.passOver(delivery);
    } else {
      lane.enqueueParked(delivery);
    }
    return origin.bytes();
  }

  private void warnOfThoseElsewhere() {
    store
        .parkedElsewhere(lanes.keySet())
        .forEach(
            (lane, rows) ->
                LOG.warn(
                    "{} messages are parked in lane '{}', which this relay does not have: none of"
                        + " them is tried again before a relay has it",
                    rows,
                    Printable.value(lane)));
  }
}
