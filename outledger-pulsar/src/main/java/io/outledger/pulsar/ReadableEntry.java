// SPDX-License-Identifier: Apache-2.0
package io.outledger.pulsar;

import io.outledger.MessageLimits;
import io.outledger.Printable;
import java.io.IOException;
import org.apache.pulsar.common.api.proto.MessageMetadata;
import org.apache.pulsar.common.api.proto.SingleMessageMetadata;
import org.apache.pulsar.common.compression.CompressionCodecProvider;
import org.apache.pulsar.common.protocol.Commands;
import org.apache.pulsar.common.protocol.Commands.ChecksumType;
import org.apache.pulsar.shade.io.netty.buffer.ByteBuf;
import org.apache.pulsar.shade.io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a topic, of which the broker believes whatever its metadata says. Where that lies,
 * Pulsar's client ends the connection, acknowledges the entry without a word, or keeps it to
 * itself. So what it could not hand over is replaced by a message that it can, and says why.
 */
final class ReadableEntry {

  /** Property of the message in its place: why the entry cannot be read. */
  static final String PROBLEM = "outledger-unreadable";

  private static final long BYTES_MAX =
      Math.min(MessageLimits.PAYLOAD_BYTES_MAX, Runtime.getRuntime().maxMemory() / 8);

  /** About how much memory the client needs for a message in which nothing is. */
  private static final long MESSAGE_BYTES = 1_000;

  private static final int COUNTABLE_MAX = 1 << 20;

  private final MessageMetadata metadata = new MessageMetadata();
  private final ByteBuf payload; // as it was sent
  private final @Nullable String problem;

  private ReadableEntry(ByteBuf payload, int payloadBytesMax) {
    this.payload = payload;
    String found;
    try {
      Commands.parseMessageMetadata(Commands.skipBrokerEntryMetadataIfExist(payload), metadata);
      found = problem(payloadBytesMax);
    } catch (IOException | RuntimeException | Error e) { // codecs of other languages throw errors
      found = "it is not what it claims to be: " + Printable.text(e);
    }
    this.problem = found;
  }

  /**
   * Looks at an entry, which stays as it is.
   *
   * @param payloadBytesMax more than this the client does not take
   */
  static ReadableEntry of(ByteBuf entry, int payloadBytesMax) {
    return new ReadableEntry(entry.slice(), payloadBytesMax);
  }

  private @Nullable String problem(int payloadBytesMax) throws IOException {
    if (metadata.hasNumChunksFromMsg() && metadata.getNumChunksFromMsg() > 1) {
      return "it is one of " + metadata.getNumChunksFromMsg() + " chunks of a message";
    }
    if (metadata.getEncryptionKeysCount() > 0) {
      return "it is encrypted";
    }
    if (payload.readableBytes() > payloadBytesMax) {
      return "it has " + payload.readableBytes() + " bytes";
    }
    if (bytes() > BYTES_MAX || count() < 1 || metadata.getUncompressedSize() < 0) {
      return "it claims to be %s messages of %s bytes together"
          .formatted(count(), metadata.getUncompressedSize());
    }
    return isBatch() || metadata.hasCompression() ? problemOfContents() : null;
  }

  private @Nullable String problemOfContents() throws IOException {
    ByteBuf contents =
        CompressionCodecProvider.getCompressionCodec(metadata.getCompression())
            .decode(payload.slice(), metadata.getUncompressedSize());
    try {
      return isBatch() ? problemOfBatch(contents) : null;
    } finally {
      contents.release();
    }
  }

  private @Nullable String problemOfBatch(ByteBuf contents) throws IOException {
    SingleMessageMetadata one = new SingleMessageMetadata();
    for (int i = 0; i < count(); i++) {
      one.clear();
      Commands.deSerializeSingleMessageInBatch(contents, one, i, count()).release();
      if (one.isCompactedOut()) {
        return "it has a message that is marked as left out";
      }
    }
    return null;
  }

  /** Returns whether the client can hand it over. */
  boolean isReadable() {
    return problem == null;
  }

  /** Returns how many messages the broker takes it for. */
  int count() {
    return metadata.getNumMessagesInBatch();
  }

  /**
   * Returns whether the broker's counters have survived it: those of a consumer go wrong for good
   * once their sum is more than a number can hold, or an entry has taken less than nothing from it.
   */
  boolean isCountable() {
    return count() > 0 && count() <= COUNTABLE_MAX;
  }

  private boolean isBatch() {
    return metadata.hasNumMessagesInBatch();
  }

  /** Returns about how much memory its messages take. */
  long bytes() {
    return Math.max(payload.readableBytes(), metadata.getUncompressedSize())
        + MESSAGE_BYTES * count();
  }

  /** Returns about how much of {@link #bytes} is one message. */
  static long bytes(int size) {
    return size + MESSAGE_BYTES;
  }

  /** Returns a message that stands in its place and has its payload, as it was sent. */
  ByteBuf replacement() {
    MessageMetadata readable =
        new MessageMetadata().setProducerName("").setSequenceId(0).setPublishTime(0);
    readable.addProperty().setKey(PROBLEM).setValue(String.valueOf(problem));
    return Commands.serializeMetadataAndPayload(
        ChecksumType.None, readable, Unpooled.wrappedBuffer(payload.retainedSlice()));
  }
}
