// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

/**
 * Which parked row: a message may be parked in several lanes, and each has a row of its own.
 *
 * @param lane the lane that has set the message aside
 * @param position the message's position
 */
public record ParkedPlace(String lane, long position) {

  /** Returns the place of a parked message. */
  public static ParkedPlace of(ParkedMessage parked) {
    return new ParkedPlace(parked.lane(), parked.position());
  }

  /** Returns the place that a change is made at. */
  public static ParkedPlace of(ParkedChange change) {
    return new ParkedPlace(change.lane(), change.position());
  }
}
