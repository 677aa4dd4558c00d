// SPDX-License-Identifier: Apache-2.0
package io.outledger.pulsar;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.cloudevents.CloudEventReader;
import io.outledger.cloudevents.CloudEventWriter;
import io.outledger.cloudevents.ReservedHeaders;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How a message stands in a message of Pulsar. CloudEvents has no binding for Pulsar; this one is
 * the binding of Kafka, with properties for headers. For one thread.
 */
final class PulsarBinding {

  static final String PREFIX = "ce_";

  /** By what Pulsar's consumers know a message that comes from a topic of retries. */
  static final ReservedHeaders RESERVED =
      ReservedHeaders.in(
          "Pulsar",
          "REAL_TOPIC",
          "REAL_SUBSCRIPTION",
          "RETRY_TOPIC",
          "RECONSUMETIMES",
          "DELAY_TIME",
          "ORIGIN_MESSAGE_ID*",
          "__*");

  private static final String NOT_STORED = "non-persistent:";

  private final CloudEventWriter<Map.Entry<String, String>> writer;

  PulsarBinding(String source) {
    this.writer =
        new CloudEventWriter<>(
            PREFIX, source, RESERVED, (name, utf8) -> Map.entry(name, new String(utf8, UTF_8)));
  }

  static CloudEventReader reader() {
    return new CloudEventReader(PREFIX);
  }

  /** Returns the properties of a message. */
  Map<String, String> properties(long position, Message message) {
    Map<String, String> properties = new LinkedHashMap<>();
    for (Map.Entry<String, String> header : writer.write(position, message)) {
      properties.put(header.getKey(), header.getValue());
    }
    return properties;
  }

  /**
   * Checks the name of a topic to publish to; Pulsar itself checks its form.
   *
   * @throws InvalidMessageException {@code OUT-014} if the topic is one that stores nothing
   */
  static String topic(String name) {
    if (name.isBlank() || name.startsWith(NOT_STORED)) {
      throw new InvalidMessageException(
          ErrorCode.INVALID_MESSAGE,
          "'"
              + name
              + "' is not a topic of Pulsar that stores messages; map the topic with"
              + " PulsarPublisher.topics");
    }
    return name;
  }
}
