// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

/** Counts the bytes of a page, so that it ends before it fills the memory. Not thread-safe. */
final class PageBytes {

  private static final long BYTES_MAX = 8L << 20;

  private long bytes;

  /** Adds what a row takes. */
  void add(long more) {
    bytes += more;
  }

  /** Returns whether nothing more is to be read. */
  boolean isFull() {
    return bytes >= BYTES_MAX;
  }
}
