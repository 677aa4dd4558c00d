// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.unit.DataSize;

/** Says so where the outbox takes messages that Kafka's producer then refuses. */
final class KafkaRequestSize {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaRequestSize.class);

  /** The setting of Kafka's producer, and its default. */
  private static final String SETTING = "max.request.size";

  private static final long DEFAULT = 1_048_576;

  /** What headers, key and Kafka's own bytes take, at most. */
  private static final long BESIDE_PAYLOAD = 64 << 10;

  private KafkaRequestSize() {}

  /**
   * Looks once, at the start.
   *
   * @param settings the producer's
   * @param path what the publisher's properties begin with
   */
  static void look(Map<String, Object> settings, DataSize payloadMax, String path) {
    problem(settings, payloadMax.toBytes(), path).ifPresent(LOG::warn);
  }

  /** Says what is too small; empty where every message that can be appended can be published. */
  static Optional<String> problem(Map<String, Object> settings, long payloadBytesMax, String path) {
    long most = number(settings.get(SETTING));
    long needed = payloadBytesMax + BESIDE_PAYLOAD;
    if (most >= needed) {
      return Optional.empty();
    }
    return Optional.of(
        """
        outledger.payload-max is %s bytes, and Kafka's producer takes %s bytes a message: a \
        message in between is appended and then a dead letter. Set \
        %s.properties.%s to %s or more, and the topics' max.message.bytes, or \
        outledger.payload-max to %sB or less\
        """
            .formatted(
                payloadBytesMax, most, path, SETTING, needed, Math.max(0, most - BESIDE_PAYLOAD)));
  }

  private static long number(@Nullable Object value) {
    try {
      return value == null ? DEFAULT : Long.parseLong(value.toString().strip());
    } catch (NumberFormatException e) {
      return Long.MAX_VALUE; // the producer says what is wrong with it
    }
  }
}
