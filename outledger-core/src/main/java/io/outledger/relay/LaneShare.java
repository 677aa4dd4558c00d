// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

/**
 * How much of the window one lane may fill with messages that cannot go out now: so that all lanes
 * together leave half of it to what can, whichever of them is held up.
 *
 * @param messages how many messages
 * @param bytes how many bytes of them
 */
record LaneShare(int messages, long bytes) {

  static final LaneShare NOTHING = new LaneShare(0, 0);

  static LaneShare of(RelayOptions options, int lanes) {
    return new LaneShare(options.windowMessages / (2 * lanes), options.windowBytes / (2L * lanes));
  }

  boolean isExceededBy(LaneQueue waiting, Breakers kept) {
    return isExceededBy(
        waiting.size() + (long) kept.keptBack(), waiting.bytes() + kept.keptBytes());
  }

  boolean isExceededBy(long otherMessages, long otherBytes) {
    return otherMessages > messages || otherBytes > bytes;
  }
}
