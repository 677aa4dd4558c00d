// SPDX-License-Identifier: Apache-2.0
package io.outledger.pulsar;

import io.outledger.contracts.Fuzz;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.TypedMessageBuilder;
import org.apache.pulsar.client.impl.TypedMessageBuilderImpl;
import org.apache.pulsar.common.api.proto.CompressionType;
import org.apache.pulsar.common.api.proto.MessageMetadata;

/** Produces entries whose metadata says anything. */
final class PulsarFuzz implements AutoCloseable {

  private final Producer<byte[]> producer;

  PulsarFuzz(String topic) {
    try {
      producer = SharedPulsar.pulsar().newProducer().topic(topic).enableBatching(false).create();
    } catch (PulsarClientException e) {
      throw new AssertionError("cannot connect", e);
    }
  }

  boolean send(Fuzz fuzz) {
    byte[] payload = fuzz.bytes(fuzz.isOneIn(50) ? 300_000 : 100);
    TypedMessageBuilder<byte[]> message = producer.newMessage().value(payload);
    fuzz.headers("ce_", fuzz::text).forEach(message::property);
    int lies = fuzz.below(3);
    for (int i = 0; i < lies; i++) {
      lie(fuzz, ((TypedMessageBuilderImpl<byte[]>) message).getMetadataBuilder());
    }
    try {
      var unused = message.sendAsync().get(10, TimeUnit.SECONDS);
      return true;
    } catch (ExecutionException | TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static void lie(Fuzz fuzz, MessageMetadata metadata) {
    switch (fuzz.below(7)) {
      case 0 -> metadata.setNumMessagesInBatch(fuzz.number() | 1); // one of nothing may stay behind
      case 1 -> metadata.setUncompressedSize(fuzz.number());
      case 2 -> metadata.setCompression(fuzz.oneOf(CompressionType.values()));
      case 3 ->
          metadata
              .setUuid(fuzz.text())
              .setNumChunksFromMsg(fuzz.number())
              .setTotalChunkMsgSize(fuzz.number())
              .setChunkId(fuzz.number());
      case 4 -> metadata.addEncryptionKey().setKey(fuzz.text()).setValue(fuzz.bytes(20));
      case 5 -> metadata.setOrderingKey(fuzz.bytes(50)).setPartitionKey(fuzz.text());
      default -> metadata.setSchemaVersion(fuzz.bytes(10)).setNullValue(true);
    }
  }

  @Override
  public void close() throws PulsarClientException {
    producer.close();
  }
}
