// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.event.PayloadSerializer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.springframework.stereotype.Component;

/** Reads messages from Kafka. Each service has its own list of the types that concern it. */
@Component
public final class Incoming {

  private final PayloadSerializer serializer;

  Incoming(PayloadSerializer serializer) {
    this.serializer = serializer;
  }

  /** Returns the name of a message's type. */
  public String type(ConsumerRecord<String, byte[]> message) {
    Header type = message.headers().lastHeader("ce_type");
    return type == null ? "" : new String(type.value(), UTF_8);
  }

  /** Returns the event in a message. */
  public <E> E read(ConsumerRecord<String, byte[]> message, Class<E> type) {
    return serializer.read(message.value(), type);
  }
}
