// SPDX-License-Identifier: Apache-2.0
package io.outledger.mqtt;

import com.hivemq.client.mqtt.datatypes.MqttUtf8String;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.outledger.cloudevents.CloudEventReader;
import io.outledger.cloudevents.CloudEvents;
import io.outledger.cloudevents.ReceivedHeaders;
import io.outledger.cloudevents.ReservedHeaders;
import io.outledger.cloudevents.TransportMessage;
import io.outledger.inbox.Received;
import org.jspecify.annotations.Nullable;

/**
 * Makes messages of what a broker delivers. Strangers may have written it, so nothing is taken for
 * granted. Thread-safe.
 */
final class MqttReader {

  private final CloudEventReader events = MqttBinding.reader();
  private final @Nullable String origin;

  MqttReader(@Nullable String origin) {
    this.origin = origin;
  }

  /**
   * Reads a packet.
   *
   * @throws io.outledger.InvalidMessageException {@code OUT-014} if it has too many properties, or
   *     is not a CloudEvent of binary mode whose identity, type and version can be read
   */
  Received read(Mqtt5Publish packet) {
    String topic = packet.getTopic().toString();
    Delivered delivered = new Delivered(packet, topic, origin == null ? topic : origin);
    ReceivedHeaders headers = new ReceivedHeaders(delivered, ReservedHeaders.NONE);
    packet
        .getUserProperties()
        .asList()
        .forEach(
            property ->
                headers.addText(property.getName().toString(), property.getValue().toString()));
    // Said by the packet itself, whatever a property of that name says.
    headers.set(
        CloudEvents.CONTENT_TYPE,
        packet.getContentType().map(MqttUtf8String::toString).orElse(null));
    return events.read(delivered, headers);
  }

  /** A packet as the client delivered it. */
  private record Delivered(Mqtt5Publish packet, String topic, String origin)
      implements TransportMessage {

    @Override
    public String place() {
      return "message on topic " + topic;
    }

    @Override
    public @Nullable String key() {
      return null;
    }

    @Override
    public byte[] payload() {
      return packet.getPayloadAsBytes();
    }
  }
}
