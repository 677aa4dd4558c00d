// SPDX-License-Identifier: Apache-2.0
package io.outledger.parking;

/**
 * How much messages take, of memory or of a window.
 *
 * @param messages how many messages
 * @param bytes how many bytes of them
 */
public record Load(long messages, long bytes) {

  /** Nothing. */
  public static final Load NONE = new Load(0, 0);

  /** Returns both together. */
  public Load plus(Load other) {
    return new Load(messages + other.messages, bytes + other.bytes);
  }

  /** Returns what is left without the other. */
  public Load minus(Load other) {
    return new Load(messages - other.messages, bytes - other.bytes);
  }

  /** Returns whether it is as much as a bound or more, by number or by bytes. */
  public boolean reaches(Load bound) {
    return messages >= bound.messages || bytes >= bound.bytes;
  }

  /** Returns whether it is more than a bound, by number or by bytes. */
  public boolean exceeds(Load bound) {
    return messages > bound.messages || bytes > bound.bytes;
  }
}
