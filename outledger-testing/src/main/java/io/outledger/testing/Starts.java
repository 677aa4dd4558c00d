// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.frontier.PositionsBuilder;
import io.outledger.store.Start;
import java.time.Instant;
import java.util.Map;
import java.util.NavigableMap;

/** Turns a start into the frontier of a new subscription. */
final class Starts {

  private Starts() {}

  static Frontier frontier(Start start, LedgerIdentity ledger) {
    NavigableMap<Long, Message> visible = ledger.visible();
    long purgedTo = ledger.purgedTo();
    if (start instanceof Start.AtPosition at) {
      return atPosition(at.position(), purgedTo, ledger.lastPosition());
    }
    if (start instanceof Start.AtTime at) {
      return afterGapsTo(lastBefore(at.time(), visible, purgedTo), visible, purgedTo);
    }
    if (start instanceof Start.Now) {
      return afterGapsTo(last(visible, purgedTo), visible, purgedTo);
    }
    return new Frontier(purgedTo, Positions.NONE);
  }

  private static Frontier atPosition(long position, long purgedTo, long last) {
    if (position > last + 1) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "a subscription cannot start at "
              + position
              + ": the next position of the ledger is "
              + (last + 1));
    }
    if (position <= purgedTo) {
      throw new ConfigurationException(
          ErrorCode.POSITION_PURGED,
          "a subscription cannot start at "
              + position
              + ": retention has removed the messages up"
              + " to "
              + purgedTo);
    }
    return new Frontier(position - 1, Positions.NONE);
  }

  private static long last(NavigableMap<Long, Message> visible, long purgedTo) {
    return visible.isEmpty() ? purgedTo : visible.lastKey();
  }

  private static long lastBefore(Instant time, NavigableMap<Long, Message> visible, long purgedTo) {
    for (Map.Entry<Long, Message> entry : visible.entrySet()) {
      if (!entry.getValue().time().isBefore(time)) {
        return entry.getKey() - 1;
      }
    }
    return last(visible, purgedTo);
  }

  private static Frontier afterGapsTo(
      long high, NavigableMap<Long, Message> visible, long purgedTo) {
    PositionsBuilder seen = new PositionsBuilder();
    visible.headMap(high, true).keySet().forEach(position -> seen.add(position, position));
    return new Frontier(high, Positions.range(purgedTo + 1, high).minus(seen.build()));
  }
}
