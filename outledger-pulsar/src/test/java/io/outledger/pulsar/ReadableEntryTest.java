// SPDX-License-Identifier: Apache-2.0
package io.outledger.pulsar;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Consumer;
import org.apache.pulsar.common.api.proto.CompressionType;
import org.apache.pulsar.common.api.proto.MessageMetadata;
import org.apache.pulsar.common.api.proto.SingleMessageMetadata;
import org.apache.pulsar.common.compression.CompressionCodecProvider;
import org.apache.pulsar.common.protocol.Commands;
import org.apache.pulsar.common.protocol.Commands.ChecksumType;
import org.apache.pulsar.shade.io.netty.buffer.ByteBuf;
import org.apache.pulsar.shade.io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

final class ReadableEntryTest {

  private static final int PAYLOAD_BYTES_MAX = 5 << 20;
  private static final byte[] PAYLOAD = "four".getBytes(UTF_8);

  private static ByteBuf entry(ByteBuf payload, Consumer<MessageMetadata> with) {
    MessageMetadata metadata =
        new MessageMetadata().setProducerName("p").setSequenceId(1).setPublishTime(1);
    with.accept(metadata);
    return Commands.serializeMetadataAndPayload(ChecksumType.Crc32c, metadata, payload);
  }

  private static ReadableEntry read(Consumer<MessageMetadata> with) {
    return ReadableEntry.of(entry(Unpooled.wrappedBuffer(PAYLOAD), with), PAYLOAD_BYTES_MAX);
  }

  private static ByteBuf batch(int count) {
    ByteBuf batch = Unpooled.directBuffer(64);
    for (int i = 0; i < count; i++) {
      ByteBuf unused =
          Commands.serializeSingleMessageInBatchWithPayload(
              new SingleMessageMetadata(), Unpooled.wrappedBuffer(PAYLOAD), batch);
    }
    return batch;
  }

  private static ReadableEntry compressed(ByteBuf batch, int count) {
    int size = batch.readableBytes();
    ByteBuf small = CompressionCodecProvider.getCompressionCodec(CompressionType.LZ4).encode(batch);
    Consumer<MessageMetadata> with =
        metadata ->
            metadata
                .setCompression(CompressionType.LZ4)
                .setUncompressedSize(size)
                .setNumMessagesInBatch(count);
    return ReadableEntry.of(entry(small, with), PAYLOAD_BYTES_MAX);
  }

  @Test
  void oneMessageABatchAndACompressedBatchAreReadable() {
    assertThat(read(metadata -> {}).isReadable()).isTrue();
    ByteBuf three = entry(batch(3), metadata -> metadata.setNumMessagesInBatch(3));
    assertThat(ReadableEntry.of(three, PAYLOAD_BYTES_MAX).isReadable()).isTrue();
    assertThat(compressed(batch(3), 3).isReadable()).isTrue();
  }

  @Test
  void batchOfAnotherCountThanItClaimsIsNot() {
    for (int count : new int[] {-5, 0, 1, 10, Integer.MAX_VALUE}) {
      assertThat(read(metadata -> metadata.setNumMessagesInBatch(count)).isReadable()).isFalse();
    }
    assertThat(compressed(batch(3), 4).isReadable()).isFalse();
  }

  @Test
  void brokersCannotCountLessThanOneMessageOrThousandsOfMillions() {
    for (int count : new int[] {Integer.MIN_VALUE, -5, 0, (1 << 20) + 1, Integer.MAX_VALUE}) {
      assertThat(read(metadata -> metadata.setNumMessagesInBatch(count)).isCountable()).isFalse();
    }
    for (int count : new int[] {1, 10, 1 << 20}) {
      assertThat(read(metadata -> metadata.setNumMessagesInBatch(count)).isCountable()).isTrue();
    }
    assertThat(read(metadata -> {}).isCountable()).isTrue();
  }

  @Test
  void soManyEmptyMessagesThatTheyFillTheMemoryAreNot() {
    assertThat(compressed(batch(500_000), 500_000).isReadable()).isFalse();
  }

  @Test
  void compressedPayloadThatIsNoneOrHugeIsNot() {
    for (CompressionType type : CompressionType.values()) {
      for (int size : new int[] {-1, 5_000, Integer.MAX_VALUE}) {
        boolean isReadable =
            read(metadata -> metadata.setCompression(type).setUncompressedSize(size)).isReadable();
        assertThat(isReadable).isEqualTo(type == CompressionType.NONE && size == 5_000);
      }
    }
  }

  @Test
  void chunksAndEncryptedMessagesAreNot() {
    assertThat(read(metadata -> metadata.setNumChunksFromMsg(3)).isReadable()).isFalse();
    assertThat(read(metadata -> metadata.setNumChunksFromMsg(1)).isReadable()).isTrue();
    assertThat(
            read(metadata -> metadata.addEncryptionKey().setKey("k").setValue(PAYLOAD))
                .isReadable())
        .isFalse();
  }

  @Test
  void bytesWithoutMetadataAreNot() {
    for (int length : new int[] {0, 1, 3, 4, 100}) {
      ByteBuf bytes = Unpooled.wrappedBuffer(new byte[length]);
      assertThat(ReadableEntry.of(bytes, PAYLOAD_BYTES_MAX).isReadable()).isFalse();
    }
  }

  @Test
  void whatStandsInItsPlaceIsReadableSaysWhyAndHasThePayload() {
    ByteBuf given =
        entry(Unpooled.wrappedBuffer(PAYLOAD), metadata -> metadata.setNumMessagesInBatch(10));
    ByteBuf replacement = ReadableEntry.of(given, PAYLOAD_BYTES_MAX).replacement();
    assertThat(ReadableEntry.of(replacement, PAYLOAD_BYTES_MAX).isReadable()).isTrue();
    MessageMetadata metadata = Commands.parseMessageMetadata(replacement);
    assertThat(metadata.getPropertyAt(0).getKey()).isEqualTo(ReadableEntry.PROBLEM);
    assertThat(replacement.toString(UTF_8)).isEqualTo("four");
  }
}
