// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedMessage;
import java.util.Comparator;
import java.util.UUID;

/**
 * Which message: what a route keeps of messages, it keeps by place. A position alone says where a
 * message stands and not which one it is: where the ledger was emptied while a message was parked,
 * another one has its position, and both are on their way through one route.
 *
 * <p>Ordered as messages of one key are to be published: those of an earlier ledger first, and of a
 * ledger by position.
 *
 * @param emptied how often the ledger was emptied since the message was parked
 */
record Place(int emptied, long position, UUID id) implements Comparable<Place> {

  private static final Comparator<Place> ORDER =
      Comparator.comparingInt(Place::emptied)
          .reversed()
          .thenComparingLong(Place::position)
          .thenComparing(Place::id);

  private static final UUID FIRST_ID = new UUID(Long.MIN_VALUE, Long.MIN_VALUE);

  static Place of(LedgerMessage read) {
    return new Place(0, read.position(), read.message().id());
  }

  static Place of(ParkedMessage row) {
    return new Place(row.emptied(), row.position(), row.message().id());
  }

  /** Returns the first place behind all messages of this position. */
  Place next() {
    return new Place(emptied, position + 1, FIRST_ID);
  }

  @Override
  public int compareTo(Place other) {
    return ORDER.compare(this, other);
  }
}
