// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * Where a stopped PostgreSQL server keeps the number of its next transaction: in {@code pg_control}
 * and in the checkpoint record that it wrote last. Both are changed, each with its checksum, as
 * {@code pg_resetwal} does, which the bundled programs lack. The layout is that of 13 to 18.
 *
 * @param data the server's data folder
 */
record ControlFile(Path data) {
  private static final int CHECKPOINT_LOCATION_AT = 32;
  private static final int CHECKPOINT_AT = 40;
  private static final int TIMELINE_AT = 8;
  private static final int NEXT_XID_AT = 24;
  private static final int CHECKSUM_AT_LEAST = 200;
  private static final int RECORD_CHECKSUM_AT = 20;
  private static final int RECORD_HEADER_BYTES = 24;
  private static final int SHORT_DATA_HEADER_BYTES = 2;
  private static final long SEGMENT_BYTES = 16L << 20;
  private static final int PAGE_BYTES = 8192;
  private static final long HIGH_HALF_SEGMENTS = (1L << 32) / SEGMENT_BYTES;

  /** The 64-bit number of the next transaction, as of the last checkpoint. */
  long nextTransactionId() {
    return control().getLong(CHECKPOINT_AT + NEXT_XID_AT);
  }

  /**
   * Changes that number.
   *
   * @return false, with nothing changed, where the record runs over the end of a page; the next
   *     clean stop writes another one
   */
  boolean writeNextTransactionId(long next) {
    ByteBuffer control = control();
    long location = control.getLong(CHECKPOINT_LOCATION_AT);
    Path segment = segment(control.getInt(CHECKPOINT_AT + TIMELINE_AT), location);
    ByteBuffer page = read(segment, location % SEGMENT_BYTES, pageLeft(location));
    int length = page.remaining() < Integer.BYTES ? Integer.MAX_VALUE : page.getInt(0);
    if (length > page.remaining()) {
      return false;
    }
    page.putLong(RECORD_HEADER_BYTES + SHORT_DATA_HEADER_BYTES + NEXT_XID_AT, next);
    CRC32C recordSum = new CRC32C();
    recordSum.update(page.duplicate().position(RECORD_HEADER_BYTES).limit(length));
    recordSum.update(page.duplicate().limit(RECORD_CHECKSUM_AT));
    page.putInt(RECORD_CHECKSUM_AT, (int) recordSum.getValue());

    int checksumAt = checksumAt(control);
    control.putLong(CHECKPOINT_AT + NEXT_XID_AT, next);
    control.putInt(checksumAt, checksum(control, checksumAt));
    write(segment, location % SEGMENT_BYTES, page);
    write(file(), 0, control);
    return true;
  }

  /** The versions differ in what comes before it, so it is found by being right. */
  private static int checksumAt(ByteBuffer control) {
    for (int at = CHECKSUM_AT_LEAST; at <= control.limit() - Integer.BYTES; at += Integer.BYTES) {
      if (control.getInt(at) == checksum(control, at)) {
        return at;
      }
    }
    throw new IllegalStateException("No checksum found in pg_control");
  }

  private static int checksum(ByteBuffer control, int length) {
    CRC32C sum = new CRC32C();
    sum.update(control.duplicate().limit(length));
    return (int) sum.getValue();
  }

  private Path segment(int timeline, long location) {
    long number = location / SEGMENT_BYTES;
    return data.resolve("pg_wal")
        .resolve(
            "%08X%08X%08X"
                .formatted(timeline, number / HIGH_HALF_SEGMENTS, number % HIGH_HALF_SEGMENTS));
  }

  private static int pageLeft(long location) {
    return (int) (PAGE_BYTES - location % PAGE_BYTES);
  }

  private ByteBuffer control() {
    return read(file(), 0, PAGE_BYTES);
  }

  private Path file() {
    return data.resolve("global").resolve("pg_control");
  }

  private static ByteBuffer read(Path path, long from, int length) {
    ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
      while (bytes.hasRemaining() && file.read(bytes, from + bytes.position()) >= 0) {}
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.flip();
  }

  private static void write(Path path, long from, ByteBuffer bytes) {
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
      while (bytes.hasRemaining()) {
        file.write(bytes, from + bytes.position());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
