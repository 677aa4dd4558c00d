// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.parking.Load;
import io.outledger.relay.options.RelayOptions;

/**
 * How much of the window one route may fill with messages that cannot go out now: all routes
 * together leave half of the window for messages that can go out.
 *
 * @param messages how many messages
 * @param bytes how many bytes of them
 * @param keysMax how many keys may have parked messages before no more are set aside: each is kept
 *     in memory
 */
record RouteShare(int messages, long bytes, int keysMax) {

  static final RouteShare NOTHING = new RouteShare(0, 0, 0);

  /** So many keys each owner may know, whatever its options. */
  static final int KEYS_MIN = 1000;

  private static final int KEYS_FOR_A_MESSAGE = 20;

  static RouteShare of(RelayOptions options, int routes) {
    return new RouteShare(
        options.window().messages() / (2 * routes),
        options.window().bytes() / (2L * routes),
        Math.max(
            KEYS_MIN, clamped((long) options.window().messages() / routes * KEYS_FOR_A_MESSAGE)));
  }

  private static int clamped(long value) {
    return (int) Math.min(value, Integer.MAX_VALUE);
  }

  boolean isExceededBy(Load load) {
    return load.exceeds(new Load(messages, bytes));
  }
}
