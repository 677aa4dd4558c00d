// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.Message;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** A message on its way whose partition is still to be told. Immutable. */
final class Unsent {

  private final Delivery delivery;
  private final byte @Nullable [] key;
  private final byte @Nullable [] payload; // null for a tombstone
  private final List<Header> headers;

  Unsent(Delivery delivery, Message message, List<Header> headers) {
    String text = message.key();
    this.delivery = delivery;
    this.key = text == null ? null : text.getBytes(UTF_8);
    this.payload = message.isTombstone() ? null : message.payload();
    this.headers = headers;
  }

  Delivery delivery() {
    return delivery;
  }

  byte @Nullable [] key() {
    return key;
  }

  int payloadBytes() {
    return payload == null ? 0 : payload.length;
  }

  /** Returns the record for the producer. */
  ProducerRecord<byte[], byte[]> to(Partition partition) {
    String topic = partition.topic().name();
    return new ProducerRecord<>(topic, partition.number(), null, key, payload, headers);
  }
}
