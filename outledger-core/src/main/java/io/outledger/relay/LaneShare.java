// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

/**
 * How much of the window one lane may fill with messages that cannot go out now: all lanes together
 * leave half of the window for messages that can go out.
 *
 * @param messages how many messages
 * @param bytes how many bytes of them
 * @param keysMax how many keys may have parked messages before no more are set aside: each is kept
 *     in memory
 */
record LaneShare(int messages, long bytes, int keysMax) {

  static final LaneShare NOTHING = new LaneShare(0, 0, 0);

  private static final int KEYS_MIN = 1000;
  private static final int KEYS_FOR_A_MESSAGE = 20;

  static LaneShare of(RelayOptions options, int lanes) {
    return new LaneShare(
        options.window.messages() / (2 * lanes),
        options.window.bytes() / (2L * lanes),
        Math.max(KEYS_MIN, clamped((long) options.window.messages() / lanes * KEYS_FOR_A_MESSAGE)));
  }

  private static int clamped(long value) {
    return (int) Math.min(value, Integer.MAX_VALUE);
  }

  boolean isExceededBy(long otherMessages, long otherBytes) {
    return otherMessages > messages || otherBytes > bytes;
  }
}
