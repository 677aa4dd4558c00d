// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

/**
 * How much a relay may have read and not settled, which bounds its memory.
 *
 * @param messages how many messages; 1 or more
 * @param bytes the payload bytes beyond which nothing more is read; 1 or more
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
