// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.Connection;
import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.Printable;
import io.outledger.Require;
import io.outledger.cloudevents.CloudEvents;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * Publishes messages to RabbitMQ as CloudEvents 1.0 in binary mode: persistent, mandatory, and with
 * publisher confirms, many on their way at a time. A message counts as published when the broker
 * has confirmed it and has not returned it as unroutable.
 *
 * <p>Messages to one exchange share a channel, which keeps their order. By default a message goes
 * to the queue that has its topic's name.
 *
 * <p>Immutable and thread-safe; each setter returns a copy. After a crash what was unconfirmed is
 * published again, with the same id.
 */
public final class RabbitPublisher implements Publisher {

  private static final int BODY_BYTES_MAX = 16 * 1024 * 1024;

  private final RabbitBroker broker;
  private final Choices choices;

  /**
   * How messages are published.
   *
   * @param source the CloudEvents source
   * @param routing where a message goes
   * @param isByTopic whether messages of one topic all go the same way
   * @param bodyBytesMax the most bytes of a payload
   */
  record Choices(
      String source, Function<Message, RabbitRoute> routing, boolean isByTopic, int bodyBytesMax) {}

  private RabbitPublisher(RabbitBroker broker, Choices choices) {
    this.broker = broker;
    this.choices = choices;
  }

  /**
   * Makes a publisher that sends each message to the queue with its topic's name.
   *
   * @throws ConfigurationException {@code OUT-021} if the broker is null
   */
  public static RabbitPublisher to(RabbitBroker broker) {
    return new RabbitPublisher(
        Require.nonNull("broker", broker),
        new Choices(
            CloudEvents.SOURCE_DEFAULT,
            message -> new RabbitRoute("", message.topic()),
            true,
            BODY_BYTES_MAX));
  }

  /**
   * Returns a publisher that sends all messages to one exchange, with their topic as routing key.
   *
   * @param name the exchange, which must exist: publishing creates none
   * @throws ConfigurationException {@code OUT-021} if it is null or has more than 255 bytes
   */
  public RabbitPublisher exchange(String name) {
    int bytes = Require.nonNull("name", name).getBytes(UTF_8).length;
    if (bytes > RabbitRoute.SHORT_BYTES_MAX) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "exchange has " + bytes + " bytes, but RabbitMQ takes " + RabbitRoute.SHORT_BYTES_MAX);
    }
    return with(choices.source(), message -> new RabbitRoute(name, message.topic()), true);
  }

  /**
   * Returns a publisher that routes messages by topic, key or type. Messages of one key keep their
   * order as long as they go to one exchange.
   *
   * @param function from a message to its exchange and routing key; thread-safe, always the same
   *     answer. What it throws makes the message a dead letter
   * @throws ConfigurationException {@code OUT-021} if it is null
   */
  public RabbitPublisher routing(Function<Message, RabbitRoute> function) {
    return with(choices.source(), Require.nonNull("function", function), false);
  }

  /**
   * Returns a publisher with another CloudEvents source: who the messages are from. Receivers take
   * source and id together for a message's identity, so a source is not changed lightly.
   *
   * @param uri a URI reference of at most 200 characters; the default is {@code /outledger}
   * @throws ConfigurationException {@code OUT-021} if it is not a URI reference
   */
  public RabbitPublisher source(String uri) {
    return with(CloudEvents.checkedSource(uri), choices.routing(), choices.isByTopic());
  }

  /**
   * Returns a publisher that rejects larger payloads before it sends them. A payload beyond the
   * broker's own limit, {@code max_message_size}, costs a connection, so keep this at or below it.
   *
   * @param bytes 1 or more; the default is 16 MiB, as that of RabbitMQ 4
   * @throws ConfigurationException {@code OUT-021} if it is below 1
   */
  public RabbitPublisher bodyBytesMax(int bytes) {
    if (bytes < 1) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION, "bodyBytesMax must be 1 or more but is " + bytes);
    }
    return new RabbitPublisher(
        broker, new Choices(choices.source(), choices.routing(), choices.isByTopic(), bytes));
  }

  private RabbitPublisher with(
      String source, Function<Message, RabbitRoute> routing, boolean isByTopic) {
    return new RabbitPublisher(
        broker, new Choices(source, routing, isByTopic, choices.bodyBytesMax()));
  }

  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.PIPELINED;
  }

  /**
   * {@inheritDoc}
   *
   * @throws DestinationUnavailableException if no node can be reached, or the broker refuses the
   *     user or the virtual host
   */
  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    Require.nonNull("outcomes", outcomes);
    AtomicReference<Socket> socket = new AtomicReference<>();
    try {
      Connection connection = broker.connect("outledger publisher", deliveryTimeMax, socket::set);
      return RabbitClient.open(
          new RabbitConnection(connection, socket.get()), choices, deliveryTimeMax, outcomes);
    } catch (IOException | TimeoutException e) {
      throw new DestinationUnavailableException(
          "cannot connect to RabbitMQ at " + broker + ": " + Printable.text(e), e);
    }
  }

  /** Names the broker's nodes, without user and password. */
  @Override
  public String toString() {
    return "RabbitPublisher[" + broker + "]";
  }
}
