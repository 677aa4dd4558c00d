// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.frontier.Positions;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.RelayStore;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings parked messages back to their lanes when their time has come. */
final class ParkedWork {

  private static final Logger LOG = LoggerFactory.getLogger(ParkedWork.class);
  private static final int ROWS_MAX = 200;
  private static final int KEYS_MAX = 50;
  private static final long SWEEP_NANOS = 1_000_000_000L;

  private final RelayStore store;
  private final Map<String, OpenLane> lanes;
  private final Steps steps;
  private final Set<Long> trying = new HashSet<>();
  private final Set<String> unknownLanes = new HashSet<>();
  private long sweepAt;
  private boolean broughtBack;

  ParkedWork(RelayStore store, Map<String, OpenLane> lanes, Steps steps, long now) {
    this.store = store;
    this.lanes = lanes;
    this.steps = steps;
    this.sweepAt = now;
  }

  /** Notes the changes that a save has made, so that what was tried may be tried again. */
  void saved(List<ParkedChange> changes, long now) {
    for (ParkedChange change : changes) {
      trying.remove(change.position());
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
   * Brings back what is due, and returns whether anything was. To be called when nothing is
   * unsaved: the rows are then up to date.
   */
  boolean bringBack(long now) {
    broughtBack = false;
    for (OpenLane lane : lanes.values()) {
      for (String key : lane.takeDrainable(KEYS_MAX)) {
        drain(lane, key);
      }
    }
    if (now - sweepAt >= 0) {
      sweepAt = now + SWEEP_NANOS;
      sweep();
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

  private void sweep() {
    long[] excepted = trying.stream().mapToLong(Long::longValue).toArray();
    List<ParkedMessage> due = store.due(Positions.of(excepted), ROWS_MAX);
    for (ParkedMessage row : due) {
      OpenLane lane = lanes.get(row.lane());
      if (lane == null) {
        warn(row.lane());
      } else if (trying.add(row.position())) {
        bringBack(lane, row);
      }
    }
    if (due.size() == ROWS_MAX) {
      sweepAt -= SWEEP_NANOS;
    }
    for (ParkedMessage row : store.discards(ROWS_MAX)) {
      OpenLane lane = lanes.get(row.lane());
      if (lane != null && trying.add(row.position())) {
        lane.parking().discard(row);
        broughtBack = true;
      }
    }
  }

  private void bringBack(OpenLane lane, ParkedMessage row) {
    LedgerMessage origin = new LedgerMessage(row.position(), row.message(), row.unreadable());
    Preparation prepared = lane.prepare(Preparation.of(steps, origin), origin);
    Delivery delivery = Delivery.of(origin, row, prepared);
    broughtBack = true;
    if (prepared.isSkipped()) {
      lane.passOver(delivery);
    } else {
      lane.enqueueParked(delivery);
    }
  }

  private void warn(String lane) {
    if (unknownLanes.add(lane)) {
      LOG.warn("messages are parked for lane '{}', which this relay does not have", lane);
    }
  }
}
