// SPDX-License-Identifier: Apache-2.0
package io.outledger.mqtt;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserPropertiesBuilder;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.Printable;
import io.outledger.cloudevents.CloudEventReader;
import io.outledger.cloudevents.CloudEventWriter;
import io.outledger.cloudevents.CloudEvents;
import io.outledger.cloudevents.ReservedHeaders;
import java.util.Map;

/**
 * CloudEvents' protocol binding for MQTT 5: attributes are user properties by their own names, and
 * the content type is the packet's.
 */
final class MqttBinding {

  private static final String PREFIX = "";
  // The fixed header, the lengths of topic and properties, the packet's id, the content type's.
  private static final int FRAME_BYTES = 5 + 2 + 4 + 2 + 3;
  private static final int PROPERTY_BYTES = 5;

  private final CloudEventWriter<Map.Entry<String, byte[]>> writer;

  MqttBinding(String source) {
    this.writer = new CloudEventWriter<>(PREFIX, source, ReservedHeaders.NONE, Map::entry);
  }

  static CloudEventReader reader() {
    return new CloudEventReader(PREFIX);
  }

  /**
   * A packet and the most bytes that it takes.
   *
   * @param publish the packet
   * @param bytesMax its size or a little more
   */
  record Packet(Mqtt5Publish publish, long bytesMax) {}

  /**
   * Makes a packet of a message.
   *
   * @throws InvalidMessageException {@code OUT-014} if the topic is not one that can be published
   *     to, the name of a header is reserved, or a text has a character for which brokers may end
   *     the connection
   * @throws IllegalArgumentException if a text cannot be sent by MQTT
   */
  synchronized Packet packet(String topic, long position, Message message) {
    Mqtt5UserPropertiesBuilder properties = Mqtt5UserProperties.builder();
    long bytes = FRAME_BYTES + (long) topic.getBytes(UTF_8).length + message.payload().length;
    String contentType = null;
    for (Map.Entry<String, byte[]> header : writer.write(position, message)) {
      String value = text(header.getKey(), new String(header.getValue(), UTF_8));
      bytes += header.getKey().length() + (long) header.getValue().length + PROPERTY_BYTES;
      if (header.getKey().equals(CloudEvents.CONTENT_TYPE)) {
        contentType = value;
      } else {
        var unused = properties.add(text("the name of a header", header.getKey()), value);
      }
    }
    Mqtt5Publish publish =
        Mqtt5Publish.builder()
            .topic(checked(topic))
            .qos(MqttQos.AT_LEAST_ONCE)
            .payload(message.payload())
            .contentType(contentType)
            .userProperties(properties.build())
            .build();
    return new Packet(publish, bytes);
  }

  private static String checked(String topic) {
    if (topic.isEmpty()
        || topic.startsWith("$")
        || topic.codePoints().anyMatch(c -> c == '+' || c == '#' || !isText(c))) {
      throw new InvalidMessageException(
          ErrorCode.INVALID_MESSAGE,
          "'"
              + topic
              + "' is not an MQTT topic that can be published to: it must not be empty, begin with"
              + " '$', or contain '+', '#', a control character or a non-character; map it with"
              + " MqttPublisher.topics");
    }
    return topic;
  }

  /** Refuses a text for which Mosquitto hangs up, which would look like an outage. */
  private static String text(String what, String value) {
    if (!value.codePoints().allMatch(MqttBinding::isText)) {
      throw new InvalidMessageException(
          ErrorCode.INVALID_MESSAGE,
          Printable.value(what)
              + " has a control character or a non-character, for which MQTT brokers may end the"
              + " connection; append it without, or encode it. What is in the ledger can be"
              + " discarded");
    }
    return value;
  }

  /**
   * Returns whether a character may be in MQTT's texts: MQTT 5.0, 1.5.4, lets a receiver end the
   * connection for control characters and for what Unicode says is no character.
   */
  private static boolean isText(int c) {
    boolean isControl = c < ' ' || (c >= 0x7f && c <= 0x9f);
    boolean isNone = (c & 0xfffe) == 0xfffe || (c >= 0xfdd0 && c <= 0xfdef);
    return !isControl && !isNone;
  }
}
