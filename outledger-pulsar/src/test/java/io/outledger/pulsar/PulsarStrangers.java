// SPDX-License-Identifier: Apache-2.0
package io.outledger.pulsar;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.impl.TypedMessageBuilderImpl;
import org.apache.pulsar.common.api.proto.CompressionType;
import org.apache.pulsar.common.api.proto.MessageMetadata;
import org.apache.pulsar.common.api.proto.SingleMessageMetadata;
import org.apache.pulsar.common.compression.CompressionCodecProvider;
import org.apache.pulsar.common.protocol.Commands;
import org.apache.pulsar.shade.io.netty.buffer.ByteBuf;
import org.apache.pulsar.shade.io.netty.buffer.Unpooled;

/**
 * What strangers may produce whose metadata lies, and the broker stores and delivers as it stands.
 * It delivers no batch of nothing unless with another entry.
 */
final class PulsarStrangers {

  private static final int MANY = 500_000;

  private PulsarStrangers() {}

  static Map<String, Runnable> to(String topic) {
    byte[] body = "zzzz".getBytes(UTF_8);
    Map<String, Consumer<MessageMetadata>> lies = new LinkedHashMap<>();
    lies.put("no CloudEvent", metadata -> {});
    lies.put("batch of ten that is none", metadata -> metadata.setNumMessagesInBatch(10));
    lies.put("batch of a million that is none", it -> it.setNumMessagesInBatch(1_000_000));
    lies.put("batch of less than nothing", metadata -> metadata.setNumMessagesInBatch(-5));
    lies.put("batch of the most", it -> it.setNumMessagesInBatch(Integer.MAX_VALUE));
    lies.put("batch of the least", it -> it.setNumMessagesInBatch(Integer.MIN_VALUE));
    lies.put("batch of the most less some", it -> it.setNumMessagesInBatch(Integer.MAX_VALUE - 9));
    lies.put("first of three chunks", metadata -> chunk(metadata, 0, Integer.MAX_VALUE - 100));
    lies.put("last of three chunks", metadata -> chunk(metadata, 2, 12));
    lies.put("encrypted", PulsarStrangers::encrypt);
    for (CompressionType type : CompressionType.values()) {
      if (type != CompressionType.NONE) {
        lies.put(type + " that is none", it -> it.setCompression(type).setUncompressedSize(5_000));
      }
    }
    lies.put("size that is huge", it -> compress(it).setUncompressedSize(Integer.MAX_VALUE));
    lies.put("size below zero", it -> compress(it).setUncompressedSize(-1));
    Map<String, Runnable> strangers = new LinkedHashMap<>();
    lies.forEach((name, lie) -> strangers.put(name, () -> send(topic, body, lie)));
    strangers.put("compressed batch of many empty ones", () -> sendMany(topic));
    strangers.put("batch of ones that are left out", () -> sendLeftOut(topic));
    return strangers;
  }

  private static void chunk(MessageMetadata metadata, int number, int size) {
    metadata.setUuid("u").setNumChunksFromMsg(3).setTotalChunkMsgSize(size).setChunkId(number);
  }

  private static void encrypt(MessageMetadata metadata) {
    metadata.addEncryptionKey().setKey("k").setValue(new byte[] {1});
    metadata.setEncryptionAlgo("x").setEncryptionParam(new byte[] {1});
  }

  private static MessageMetadata compress(MessageMetadata metadata) {
    return metadata.setCompression(CompressionType.LZ4);
  }

  private static void sendLeftOut(String topic) {
    ByteBuf one = batch(1, true);
    send(topic, bytes(one), metadata -> metadata.setNumMessagesInBatch(1));
  }

  private static void sendMany(String topic) {
    ByteBuf all = batch(MANY, false);
    int size = all.readableBytes();
    byte[] compressed =
        bytes(CompressionCodecProvider.getCompressionCodec(CompressionType.LZ4).encode(all));
    send(
        topic,
        compressed,
        metadata -> compress(metadata).setUncompressedSize(size).setNumMessagesInBatch(MANY));
  }

  private static ByteBuf batch(int count, boolean isLeftOut) {
    ByteBuf batch = Unpooled.directBuffer(count * 8);
    for (int i = 0; i < count; i++) {
      SingleMessageMetadata one = new SingleMessageMetadata().setCompactedOut(isLeftOut);
      ByteBuf unused =
          Commands.serializeSingleMessageInBatchWithPayload(one, Unpooled.EMPTY_BUFFER, batch);
    }
    return batch;
  }

  private static byte[] bytes(ByteBuf from) {
    byte[] bytes = new byte[from.readableBytes()];
    from.readBytes(bytes);
    return bytes;
  }

  private static void send(String topic, byte[] body, Consumer<MessageMetadata> lie) {
    try (Producer<byte[]> producer =
        SharedPulsar.pulsar().newProducer().topic(topic).enableBatching(false).create()) {
      TypedMessageBuilderImpl<byte[]> message =
          (TypedMessageBuilderImpl<byte[]>) producer.newMessage().value(body);
      lie.accept(message.getMetadataBuilder());
      var unused = message.sendAsync().get(10, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("cannot send", e);
    }
  }
}
