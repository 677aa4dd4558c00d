// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.Given;
import java.util.Comparator;

/**
 * Which parked row: a message may be parked in several routes, and each has a row of its own.
 * Ordered by route, then by position.
 *
 * @param route the route that has set the message aside
 * @param position the message's position; negative where it is of a ledger that was emptied since
 */
public record ParkedPlace(String route, long position) implements Comparable<ParkedPlace> {

  /** A place before all others. */
  public static final ParkedPlace FIRST = new ParkedPlace("", Long.MIN_VALUE);

  private static final Comparator<ParkedPlace> ORDER =
      Comparator.comparing(ParkedPlace::route).thenComparingLong(ParkedPlace::position);

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if the route is null, or a text
   *     that no database stores
   */
  public ParkedPlace {
    Given.text("route", route);
  }

  /** Returns the place of a parked message. */
  public static ParkedPlace of(ParkedMessage parked) {
    Given.check("parked", parked);
    return new ParkedPlace(parked.route(), parked.position());
  }

  /** Returns the place that a change is made at. */
  public static ParkedPlace of(ParkedChange change) {
    Given.check("change", change);
    return new ParkedPlace(change.route(), change.position());
  }

  @Override
  public int compareTo(ParkedPlace other) {
    return ORDER.compare(this, other);
  }
}
