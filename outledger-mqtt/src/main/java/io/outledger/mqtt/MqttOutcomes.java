// SPDX-License-Identifier: Apache-2.0
package io.outledger.mqtt;

import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5PubAckException;
import com.hivemq.client.mqtt.mqtt5.message.publish.puback.Mqtt5PubAck;
import io.outledger.publish.Outcome;
import org.jspecify.annotations.Nullable;

/** What an answer of a broker, or its absence, means for a message. */
final class MqttOutcomes {

  private MqttOutcomes() {}

  static Outcome outcome(Mqtt5PubAck answer, boolean allowsNoSubscribers) {
    String said = "the MQTT broker answered " + answer.getReasonCode();
    String text = answer.getReasonString().map(reason -> said + ": " + reason).orElse(said);
    return switch (answer.getReasonCode()) {
      case SUCCESS -> Outcome.PUBLISHED;
      case NO_MATCHING_SUBSCRIBERS ->
          allowsNoSubscribers
              ? Outcome.PUBLISHED
              : Outcome.topicUnavailable(
                  text
                      + "; it has dropped the message. Subscribe to the topic first, or call"
                      + " allowNoSubscribers() on the publisher");
      case NOT_AUTHORIZED, TOPIC_NAME_INVALID, QUOTA_EXCEEDED -> Outcome.topicUnavailable(text);
      case PAYLOAD_FORMAT_INVALID -> Outcome.rejected(text);
      case PACKET_IDENTIFIER_IN_USE -> Outcome.unavailable(text);
      case UNSPECIFIED_ERROR, IMPLEMENTATION_SPECIFIC_ERROR -> Outcome.suspect(text);
    };
  }

  static Outcome failed(@Nullable Throwable error, MqttBroker.Link link) {
    if (error instanceof Mqtt5PubAckException refused) {
      return outcome(refused.getMqttMessage(), false);
    }
    return link.isOpen()
        ? Outcome.suspect("the MQTT client could not send the message: " + error)
        : Outcome.unavailable(link.endText());
  }

  static Outcome tooLarge(long bytes, int bytesMax) {
    return Outcome.rejected(
        "the message takes up to "
            + bytes
            + " bytes with its headers, more than the "
            + bytesMax
            + " that the MQTT broker accepts; raise its maximum packet size");
  }
}
