// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import io.outledger.benchmarks.SharedClock;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * When each message arrived first, by the machine's clock, in a file that every process which opens
 * it sees at once. Thread-safe.
 */
final class ArrivalLog implements Receiver {

  private static final VarHandle NANOS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final ByteBuffer times;

  private ArrivalLog(ByteBuffer times) {
    this.times = times;
  }

  /** Makes a file for messages of the numbers below this one, of which none has arrived. */
  static Path newFile(int numbers) throws IOException {
    return Files.write(Files.createTempFile("arrivals", ".nanos"), new byte[numbers * Long.BYTES]);
  }

  /** Opens such a file, which may be deleted from then on. */
  static ArrivalLog in(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return new ArrivalLog(channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size()));
    }
  }

  /** Notes it, unless it came before. */
  @Override
  public void receive(int number) {
    NANOS.compareAndSet(times, number * Long.BYTES, 0L, SharedClock.nanos());
  }

  /** Returns when it arrived, or 0. */
  long nanos(int number) {
    return (long) NANOS.getVolatile(times, number * Long.BYTES);
  }

  /** Whether this many messages have arrived, from this number on. */
  boolean haveAll(int first, int count) {
    for (int number = first; number < first + count; number++) {
      if (nanos(number) == 0) {
        return false;
      }
    }
    return true;
  }
}
