// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import io.outledger.time.TimeSource;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * What was read from the broker and nobody has taken yet, bounded in bytes: a prefetch is a number
 * of messages, which may be large. The client reads on whatever waits in it, so its reading thread
 * waits here, between two messages; then the line is full, and the broker stops sending. It still
 * takes acknowledgements, and counts as heartbeats whatever the client sends. But it ends a
 * connection over which it could send nothing for 30 seconds, so one message is read in between.
 */
final class ReadAhead {

  private static final long BYTES_MAX = 16L * 1024 * 1024;

  private final Duration waitMax;
  private final TimeSource time = TimeSource.system(); // of the network
  private final Queue<Long> sizes = new ArrayDeque<>();
  private long bytes;
  private boolean isOver;

  /**
   * Creates it.
   *
   * @param waitMax after which time a message is read though there is no room
   */
  ReadAhead(Duration waitMax) {
    this.waitMax = waitMax;
  }

  /**
   * Notes a message that is about to be read, once there is room or none has been for a while. By
   * the client's reading thread.
   *
   * @param size its headers and payload, in bytes
   */
  synchronized void read(long size) throws IOException {
    try {
      long until = time.nanoTime() + waitMax.toNanos();
      for (long left = waitMax.toMillis(); left > 0 && bytes >= BYTES_MAX && !isOver; ) {
        wait(left);
        left = TimeUnit.NANOSECONDS.toMillis(until - time.nanoTime());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while what was read before waits");
    }
    sizes.add(size);
    bytes += size;
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
