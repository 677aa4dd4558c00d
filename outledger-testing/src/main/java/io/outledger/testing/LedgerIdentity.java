// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.store.KnownMessage;
import java.util.Map;
import java.util.NavigableMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether a ledger is still the one that a cursor has read, as a database does: one that was
 * emptied has other numbers, or no longer has the message that the cursor knows. Guarded by its
 * ledger.
 */
record LedgerIdentity(NavigableMap<Long, Message> visible, long lastPosition, long purgedTo) {

  /** Checks that no number is handed out again that somebody has read up to, or that is taken. */
  void checkNumbers(long high) {
    long highest = visible.isEmpty() ? 0 : visible.lastKey();
    if (lastPosition < Math.max(high, highest)) {
      throw new ConfigurationException(
          ErrorCode.LEDGER_BEHIND_CURSOR,
          "the last position of the ledger is "
              + lastPosition
              + ", but the cursor is at "
              + high
              + " and the highest message at "
              + highest);
    }
  }

  /** Checks that the message which a cursor knows is still there, or was removed by retention. */
  void checkKnown(@Nullable KnownMessage known) {
    if (known != null && isGone(known)) {
      throw new ConfigurationException(
          ErrorCode.LEDGER_BEHIND_CURSOR,
          "this is not the ledger that the subscription has read: the message that it knows at "
              + known.position()
              + " is gone. Move the subscription");
    }
  }

  /** Returns whether this is not the ledger that somebody has read up to a position. */
  boolean isReset(long high, @Nullable KnownMessage known) {
    return lastPosition < high
        || (known != null && (lastPosition < known.position() || isGone(known)));
  }

  /**
   * Returns whether this is certainly not the ledger that somebody has read up to a position: its
   * numbers stand below, or another message has the position of the one that is known. Not where
   * that one is merely gone: somebody may have deleted it.
   */
  boolean isAnother(long high, @Nullable KnownMessage known) {
    return lastPosition < high || (known != null && hasOtherAt(known.position(), known.id()));
  }

  boolean hasAt(long position) {
    return visible.containsKey(position);
  }

  private boolean hasOtherAt(long position, UUID id) {
    Message there = visible.get(position);
    return there != null && !there.id().equals(id);
  }

  private boolean isGone(KnownMessage known) {
    Message there = visible.get(known.position());
    boolean isThere = there != null && there.id().equals(known.id());
    return !isThere && known.position() > purgedTo;
  }

  /**
   * Returns the message by which a cursor that is placed at a position knows the ledger. One that
   * has settled nothing is tied to no ledger yet.
   */
  @Nullable KnownMessage beside(long high) {
    Map.Entry<Long, Message> below = visible.floorEntry(high);
    Map.Entry<Long, Message> nearest = below == null ? visible.higherEntry(high) : below;
    if (high == 0 || (nearest == null && purgedTo == 0)) {
      return null;
    }
    return nearest == null
        ? new KnownMessage(purgedTo, KnownMessage.PURGED)
        : new KnownMessage(nearest.getKey(), nearest.getValue().id());
  }
}
