// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.options;

/**
 * How many messages a relay may have read but not settled. This limits its memory.
 *
 * @param messages the maximum number of messages; 1 or more
 * @param bytes the payload bytes after which the relay stops reading; 1 or more
 */
public record WindowOptions(int messages, long bytes) {

  /** The defaults. */
  public static final WindowOptions DEFAULT = new WindowOptions(10_000, 32L << 20);

  /** Returns these options with another number of messages. */
  public WindowOptions withMessages(int value) {
    return new WindowOptions(value, bytes);
  }

  /** Returns these options with another number of bytes. */
  public WindowOptions withBytes(long value) {
    return new WindowOptions(messages, value);
  }
}
