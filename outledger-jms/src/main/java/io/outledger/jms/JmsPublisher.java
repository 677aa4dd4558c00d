// SPDX-License-Identifier: Apache-2.0
package io.outledger.jms;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.MessageLimits;
import io.outledger.Require;
import io.outledger.cloudevents.CloudEvents;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import java.time.Duration;

/**
 * Sends messages to the queues or topics of a Jakarta Messaging broker, as persistent CloudEvents.
 * A message's topic is the name of its queue or topic there.
 *
 * <p>Messages are sent over a few sessions, those of a key over the same one and in the order of
 * the ledger, in transactions of up to 100: a transaction is either there as a whole or not at all.
 * Where the broker refuses one, its messages are sent one by one, so that only those are rejected
 * which are to blame.
 *
 * <p>{@code JMSXGroupID} holds one of 256 numbers, which depends on the key alone: brokers with
 * message groups give all messages of a group to the same consumer, so that several consumers of a
 * queue keep the order of keys.
 *
 * <p>Immutable and thread-safe; each setter returns a copy.
 */
public final class JmsPublisher implements Publisher {

  private static final int BYTES_DEFAULT = 4 << 20;
  private static final int SESSIONS_DEFAULT = 4;
  private static final int SESSIONS_MAX = 64;

  private final JmsBroker broker;
  private final boolean isToTopics;
  private final String source;
  private final int payloadBytesMax;
  private final int sessions;

  private JmsPublisher(
      JmsBroker broker, boolean isToTopics, String source, int payloadBytesMax, int sessions) {
    this.broker = broker;
    this.isToTopics = isToTopics;
    this.source = source;
    this.payloadBytesMax = payloadBytesMax;
    this.sessions = sessions;
  }

  private static JmsPublisher to(JmsBroker broker, boolean isToTopics) {
    Require.nonNull("broker", broker);
    return new JmsPublisher(
        broker, isToTopics, CloudEvents.SOURCE_DEFAULT, BYTES_DEFAULT, SESSIONS_DEFAULT);
  }

  /** Makes a publisher to queues, each message of which one consumer gets. */
  public static JmsPublisher toQueues(JmsBroker broker) {
    return to(broker, false);
  }

  /**
   * Makes a publisher to topics, each message of which every subscription gets. A topic without a
   * durable subscription keeps nothing: the broker accepts the message, and it is gone.
   */
  public static JmsPublisher toTopics(JmsBroker broker) {
    return to(broker, true);
  }

  /**
   * Returns a publisher with another CloudEvents source: who the messages are from. Receivers take
   * source and id together for a message's identity, so a source is not changed lightly.
   *
   * @param uri a URI reference of at most 200 characters; the default is {@code /outledger}
   * @throws ConfigurationException {@code OUT-021} if it is not a URI reference
   */
  public JmsPublisher source(String uri) {
    String checked = CloudEvents.checkedSource(uri);
    return new JmsPublisher(broker, isToTopics, checked, payloadBytesMax, sessions);
  }

  /**
   * Returns a publisher with another limit for payloads. A larger one is a failed attempt.
   *
   * @param value 1 byte to 64 MiB; the default is 4 MiB. The broker must take as much: Jakarta
   *     Messaging has no way to ask
   * @throws ConfigurationException {@code OUT-021} if it is out of range
   */
  public JmsPublisher payloadBytesMax(int value) {
    if (value < 1 || value > MessageLimits.PAYLOAD_BYTES_MAX) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "payloadBytesMax must be 1 to 67,108,864 bytes, not " + value);
    }
    return new JmsPublisher(broker, isToTopics, source, value, sessions);
  }

  /**
   * Returns a publisher with another number of sessions. Each has a connection of its own, which is
   * opened by its first message. With one, all messages arrive in the order of the ledger.
   *
   * @param count 1 to 64; the default is 4
   * @throws ConfigurationException {@code OUT-021} if it is out of range
   */
  public JmsPublisher sessions(int count) {
    if (count < 1 || count > SESSIONS_MAX) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION, "sessions must be 1 to 64, not " + count);
    }
    return new JmsPublisher(broker, isToTopics, source, payloadBytesMax, count);
  }

  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.PIPELINED;
  }

  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    return new JmsSessions(this, deliveryTimeMax, outcomes);
  }

  JmsBroker broker() {
    return broker;
  }

  boolean isToTopics() {
    return isToTopics;
  }

  String sourceUri() {
    return source;
  }

  int bytesMax() {
    return payloadBytesMax;
  }

  int sessionCount() {
    return sessions;
  }

  /** Names the broker. */
  @Override
  public String toString() {
    return "JmsPublisher[" + (isToTopics ? "topics" : "queues") + " of " + broker + "]";
  }
}
