// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.Require;
import java.util.Comparator;
import java.util.UUID;

/**
 * Which parked row: a message may be parked in several routes, and each has a row of its own. Two
 * messages have one position where a ledger was emptied while the earlier one was parked; the id
 * tells them apart. Ordered by route, then by position, then by id as databases order them.
 *
 * @param route the route that has set the message aside
 * @param position the message's position
 * @param id the message's id
 */
public record ParkedPlace(String route, long position, UUID id) implements Comparable<ParkedPlace> {

  /** A place before all others. */
  public static final ParkedPlace FIRST = new ParkedPlace("", 0, new UUID(0, 0));

  private static final Comparator<UUID> BY_BYTES =
      Comparator.comparing(UUID::getMostSignificantBits, Long::compareUnsigned)
          .thenComparing(UUID::getLeastSignificantBits, Long::compareUnsigned);

  private static final Comparator<ParkedPlace> ORDER =
      Comparator.comparing(ParkedPlace::route)
          .thenComparingLong(ParkedPlace::position)
          .thenComparing(ParkedPlace::id, BY_BYTES);

  private static final Comparator<ParkedPlace> BY_POSITION =
      Comparator.comparingLong(ParkedPlace::position).thenComparing(ORDER);

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null, or the route
   *     is a text that no database stores
   */
  public ParkedPlace {
    Require.text("route", route);
    Require.nonNull("id", id);
  }

  /** Returns a place before all others of a route. */
  public static ParkedPlace firstOf(String route) {
    return new ParkedPlace(route, FIRST.position, FIRST.id);
  }

  /** Returns the order of lists: by position, then by route, then by id. */
  public static Comparator<ParkedPlace> byPosition() {
    return BY_POSITION;
  }

  /** Returns the place of a parked message. */
  public static ParkedPlace of(ParkedMessage parked) {
    Require.nonNull("parked", parked);
    return new ParkedPlace(parked.route(), parked.position(), parked.message().id());
  }

  /** Returns the place that a change is made at. */
  public static ParkedPlace of(ParkedChange change) {
    Require.nonNull("change", change);
    return new ParkedPlace(change.route(), change.position(), change.id());
  }

  @Override
  public int compareTo(ParkedPlace other) {
    return ORDER.compare(this, other);
  }
}
