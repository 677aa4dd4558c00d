// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.Require;
import io.outledger.store.ParkedPlace;
import java.util.UUID;

/**
 * Where a message is parked, among all that its owner has parked.
 *
 * @param number a subscription's: the message's position; a consumer's: its number among those that
 *     it has parked
 * @param route the route that has parked it; empty for a subscription with one publisher, and for a
 *     consumer
 * @param id a subscription's: the message's id, which tells two messages of one position apart
 *     where the ledger was emptied; a consumer's: zero, since its number is enough
 */
public record ParkedPoint(long number, String route, UUID id) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null, or the route
   *     is a text that no database stores
   */
  public ParkedPoint {
    Require.text("route", route);
    Require.nonNull("id", id);
  }

  /** A place before all others. */
  public static final ParkedPoint FIRST = ofConsumer(0);

  /** Returns the place of a message among those of a consumer. */
  public static ParkedPoint ofConsumer(long number) {
    return new ParkedPoint(number, "", new UUID(0, 0));
  }

  /** Returns the same as a place among a subscription's, for a request. */
  public ParkedPlace ofSubscription() {
    return new ParkedPlace(route, number, id);
  }
}
