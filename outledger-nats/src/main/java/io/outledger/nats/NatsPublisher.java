// SPDX-License-Identifier: Apache-2.0
package io.outledger.nats;

import io.nats.client.Options;
import io.outledger.ConfigurationException;
import io.outledger.Require;
import io.outledger.cloudevents.CloudEvents;
import io.outledger.publish.AsyncClient;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * Publishes messages to streams of NATS JetStream as CloudEvents 1.0 in binary mode. A message is
 * published once a stream has acknowledged it.
 *
 * <p>Messages of one key are published one after the other, those of different keys side by side on
 * one connection. By the header {@code Nats-Msg-Id}, which is the same whenever a message is
 * published to a subject, a stream drops what it has already, within its duplicate window.
 *
 * <p>Immutable and thread-safe; each setter returns a copy. After a crash what was unacknowledged
 * is published again, with the same id.
 */
public final class NatsPublisher implements Publisher {

  private final Options options;
  private final String source;
  private final UnaryOperator<String> naming;

  private NatsPublisher(Options options, String source, UnaryOperator<String> naming) {
    this.options = options;
    this.source = source;
    this.naming = naming;
  }

  /**
   * Makes a publisher from the options of NATS's client: servers, TLS, credentials. Nothing is
   * opened. The publisher itself sees to reconnecting, and replaces the client's default listener
   * of errors, which logs each of them; a listener of yours is kept.
   *
   * @throws ConfigurationException {@code OUT-021} if it is null
   */
  public static NatsPublisher with(Options options) {
    return new NatsPublisher(
        Require.nonNull("options", options), CloudEvents.SOURCE_DEFAULT, UnaryOperator.identity());
  }

  /**
   * Returns a publisher with another CloudEvents source: who the messages are from. Receivers take
   * source and id together for a message's identity, so a source is not changed lightly.
   *
   * @param uri a URI reference of at most 200 characters; the default is {@code /outledger}
   * @throws ConfigurationException {@code OUT-021} if it is not a URI reference
   */
  public NatsPublisher source(String uri) {
    return new NatsPublisher(options, CloudEvents.checkedSource(uri), naming);
  }

  /**
   * Returns a publisher that maps messages' topics to subjects.
   *
   * @param naming from a message's topic to the subject; thread-safe, always the same answer; the
   *     default leaves it as it is. What it throws makes the message a dead letter
   * @throws ConfigurationException {@code OUT-021} if it is null
   */
  public NatsPublisher subjects(UnaryOperator<String> naming) {
    return new NatsPublisher(options, source, Require.nonNull("naming", naming));
  }

  /** A stream's leader may change between two messages on their way and lose the first alone. */
  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.ONE_AT_A_TIME;
  }

  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    return new AsyncClient<>(new NatsLine(this, deliveryTimeMax), deliveryTimeMax, outcomes);
  }

  Options options() {
    return options;
  }

  String sourceUri() {
    return source;
  }

  String subjectOf(String topic) {
    return naming.apply(topic);
  }

  /** Names the servers, without credentials. */
  @Override
  public String toString() {
    return "NatsPublisher[" + NatsConnecting.servers(options) + "]";
  }
}
