// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedMessage;
import java.util.Comparator;
import java.util.UUID;

/**
 * Which message: what a route keeps of messages, it keeps by place. A position alone says where a
 * message stands and not which one it is: where the ledger was emptied while a message was parked,
 * another one has its position, and both are on their way through one route. Ordered by position,
 * then by id.
 */
record Place(long position, UUID id) implements Comparable<Place> {

  private static final Comparator<Place> ORDER =
      Comparator.comparingLong(Place::position).thenComparing(Place::id);

  static Place of(LedgerMessage read) {
    return new Place(read.position(), read.message().id());
  }

  static Place of(ParkedMessage row) {
    return new Place(row.position(), row.message().id());
  }

  @Override
  public int compareTo(Place other) {
    return ORDER.compare(this, other);
  }
}
