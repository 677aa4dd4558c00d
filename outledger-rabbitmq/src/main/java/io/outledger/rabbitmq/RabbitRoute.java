// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Require;

/**
 * Where RabbitMQ is to route a message.
 *
 * @param exchange the exchange's name, at most 255 bytes; empty for the default exchange, which
 *     routes to the queue that the routing key names
 * @param routingKey what the exchange's bindings are compared with, at most 255 bytes
 */
public record RabbitRoute(String exchange, String routingKey) {

  /** The most bytes that AMQP's short strings may have. */
  static final int SHORT_BYTES_MAX = 255;

  /**
   * Checks the names.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if one is null
   * @throws InvalidMessageException {@code OUT-014} if one is too long
   */
  public RabbitRoute {
    checkShort("exchange", Require.nonNull("exchange", exchange));
    checkShort("routing key", Require.nonNull("routingKey", routingKey));
  }

  /**
   * Checks a text that AMQP carries as a short string.
   *
   * @return the same text
   */
  static String checkShort(String what, String text) {
    int bytes = text.getBytes(UTF_8).length;
    if (bytes > SHORT_BYTES_MAX) {
      throw new InvalidMessageException(
          ErrorCode.INVALID_MESSAGE,
          "the " + what + " has " + bytes + " bytes, but RabbitMQ takes " + SHORT_BYTES_MAX);
    }
    return text;
  }
}
