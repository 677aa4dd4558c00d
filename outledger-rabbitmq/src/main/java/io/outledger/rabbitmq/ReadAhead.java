// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * What was read from the broker and nobody has taken yet, bounded in bytes: a prefetch is a number
 * of messages, which may be large. The client reads on whatever waits in it, so its reading thread
 * waits here, between two messages; then the line is full, and the broker stops sending. It still
 * takes acknowledgements and heartbeats, but ends a connection to which it can send nothing for its
 * {@code send_timeout}, 30 seconds by default. So the next consumer is given as many messages ahead
 * as have room, and does not come to wait.
 */
final class ReadAhead {

  private static final long BYTES_MAX = 16L * 1024 * 1024;

  private final Queue<Long> sizes = new ArrayDeque<>();
  private long bytes;
  private int fits = Integer.MAX_VALUE;
  private boolean isOver;

  /**
   * Notes a message that is about to be read, once there is room. By the client's reading thread.
   *
   * @param size its headers and payload, in bytes
   */
  synchronized void read(long size) throws IOException {
    try {
      if (bytes >= BYTES_MAX && !isOver) {
        fits = Math.min(fits, sizes.size());
      }
      while (bytes >= BYTES_MAX && !isOver) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while what was read before waits");
    }
    sizes.add(size);
    bytes += size;
  }

  /** Returns how many messages there was room for, where more came. */
  synchronized int fits() {
    return fits;
  }

  /** The oldest message was taken. */
  synchronized void taken() {
    bytes -= sizes.remove();
    notifyAll();
  }

  /** Nobody takes anything more, and the broker's answers lie behind what it has sent. */
  synchronized void end() {
    isOver = true;
    notifyAll();
  }
}
