// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

/**
 * Sees to it that a lane catches up with what was set aside while its destination was down. What is
 * read meanwhile of the same keys must be set aside behind it, which costs more than to publish it:
 * were as much read as comes back, there would be no end. So half as many messages are read as rows
 * come back; where none comes back, nothing is gained by waiting.
 */
final class CatchingUp {

  private static final int ROWS_FOR_A_MESSAGE = 2;
  private static final long PATIENCE_NANOS = 1_000_000_000L;

  private long rows;
  private long cameBackAt;

  CatchingUp(long now) {
    cameBackAt = now - PATIENCE_NANOS;
  }

  /** Notes how many rows have come back. */
  void cameBack(int count, long now) {
    if (count > 0) {
      rows += count;
      cameBackAt = now;
    }
  }

  /** Notes how many messages were read, and whether some lane was catching up meanwhile. */
  void read(int messages, boolean isBehind) {
    rows = isBehind ? rows - (long) messages * ROWS_FOR_A_MESSAGE : 0;
  }

  /** Returns whether the rows that come back go before what could be read now. */
  boolean goesFirst(long now) {
    return rows <= 0 && now - cameBackAt < PATIENCE_NANOS;
  }
}
