// SPDX-License-Identifier: Apache-2.0
package io.outledger.mqtt;

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
 * Publishes messages to an MQTT 5 broker with QoS 1, as CloudEvents 1.0 in binary mode. A message
 * is published once the broker has acknowledged it.
 *
 * <p>Messages of one key are published one after the other, those of different keys side by side on
 * one connection.
 *
 * <p>Immutable and thread-safe; each setter returns a copy. After a crash what was unacknowledged
 * is published again, with the same id.
 */
public final class MqttPublisher implements Publisher {

  private final MqttBroker broker;
  private final String source;
  private final UnaryOperator<String> naming;
  private final boolean allowsNoSubscribers;

  private MqttPublisher(
      MqttBroker broker, String source, UnaryOperator<String> naming, boolean allowsNoSubscribers) {
    this.broker = broker;
    this.source = source;
    this.naming = naming;
    this.allowsNoSubscribers = allowsNoSubscribers;
  }

  /**
   * Makes a publisher. Nothing is opened.
   *
   * @throws ConfigurationException {@code OUT-021} if it is null
   */
  public static MqttPublisher to(MqttBroker broker) {
    return new MqttPublisher(
        Require.nonNull("broker", broker),
        CloudEvents.SOURCE_DEFAULT,
        UnaryOperator.identity(),
        false);
  }

  /**
   * Returns a publisher with another CloudEvents source: who the messages are from. Receivers take
   * source and id together for a message's identity, so a source is not changed lightly.
   *
   * @param uri a URI reference of at most 200 characters; the default is {@code /outledger}
   * @throws ConfigurationException {@code OUT-021} if it is not a URI reference
   */
  public MqttPublisher source(String uri) {
    return new MqttPublisher(broker, CloudEvents.checkedSource(uri), naming, allowsNoSubscribers);
  }

  /**
   * Returns a publisher that maps messages' topics to the broker's.
   *
   * @param naming thread-safe, always the same answer; the default leaves the topic as it is. What
   *     it throws makes the message a dead letter
   */
  public MqttPublisher topics(UnaryOperator<String> naming) {
    return new MqttPublisher(
        broker, source, Require.nonNull("naming", naming), allowsNoSubscribers);
  }

  /**
   * Returns a publisher that counts a message as published although nobody subscribes to its topic,
   * and the broker drops it. By default such a topic's messages are kept back until somebody
   * subscribes. Not every broker tells.
   */
  public MqttPublisher allowNoSubscribers() {
    return new MqttPublisher(broker, source, naming, true);
  }

  /** The broker may refuse one message and take the next. */
  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.ONE_AT_A_TIME;
  }

  /** The broker ends a connection where another one has its client id. */
  @Override
  public boolean allowsSeveral() {
    return false;
  }

  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    return new AsyncClient<>(new MqttLine(this), deliveryTimeMax, outcomes);
  }

  MqttBroker broker() {
    return broker;
  }

  String sourceUri() {
    return source;
  }

  String topicOf(String topic) {
    return naming.apply(topic);
  }

  boolean allowsNoSubscribers() {
    return allowsNoSubscribers;
  }

  /** Names the broker, without credentials. */
  @Override
  public String toString() {
    return "MqttPublisher[" + broker + "]";
  }
}
