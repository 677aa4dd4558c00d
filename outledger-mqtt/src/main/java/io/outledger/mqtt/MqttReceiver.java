// SPDX-License-Identifier: Apache-2.0
package io.outledger.mqtt;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.inbox.BatchHandler;
import io.outledger.receive.BrokerReceiver;
import io.outledger.receive.OpenReceiver;
import io.outledger.receive.QueueReceiver;
import io.outledger.receive.ReceiverSettings;
import io.outledger.receive.UnreadableMessages;
import java.time.Duration;

/**
 * Receives from an MQTT 5 broker with QoS 1, in a session that outlives connections, and hands the
 * messages to a {@link BatchHandler}. A message is acknowledged only after it has taken effect; so
 * after a crash it comes again, and a handler with an inbox does nothing twice.
 *
 * <p>A broker has one connection of a client id at a time: of two instances, one has the session
 * and the other stands by.
 *
 * <p>Immutable and thread-safe; each setter returns a copy.
 */
public final class MqttReceiver extends BrokerReceiver<MqttReceiver> {

  private static final Duration EXPIRY_DEFAULT = Duration.ofDays(7);
  private static final Duration EXPIRY_MAX = Duration.ofSeconds(0xffff_fffeL);
  private static final Duration STAND_BY_DEFAULT = Duration.ofMinutes(1);

  // What MQTT allows. Mosquitto 2.0.11 exceeds a smaller number, and the client must then
  // disconnect, every time.
  private static final int RECEIVE_MAXIMUM_DEFAULT = 65_535;

  private final MqttBroker broker;
  private final String topicFilter;
  private final Limits limits;

  /**
   * How much is waited for and taken.
   *
   * @param expiry how long the broker keeps the session
   * @param standBy how long another instance may have it
   * @param receiveMaximum how many messages may come that are not acknowledged
   */
  record Limits(Duration expiry, Duration standBy, int receiveMaximum) {}

  private MqttReceiver(
      MqttBroker broker, String topicFilter, Limits limits, ReceiverSettings settings) {
    super(settings);
    this.broker = broker;
    this.topicFilter = topicFilter;
    this.limits = limits;
  }

  /**
   * Makes a receiver. Nothing is opened.
   *
   * @param broker the broker; its client id names the session, so it must never change
   * @param topicFilter the topics, with {@code +} and {@code #} as MQTT means them. The broker
   *     keeps what is published from the first connection on; retained messages of before are not
   *     received
   * @throws ConfigurationException {@code OUT-021} if an argument is null, or the filter is empty
   */
  public static MqttReceiver of(MqttBroker broker, String topicFilter) {
    Require.nonNull("broker", broker);
    if (Require.nonNull("topicFilter", topicFilter).isEmpty()) {
      throw invalid("the MQTT receiver's topic filter must not be empty");
    }
    Limits limits = new Limits(EXPIRY_DEFAULT, STAND_BY_DEFAULT, RECEIVE_MAXIMUM_DEFAULT);
    return new MqttReceiver(broker, topicFilter, limits, ReceiverSettings.DEFAULT);
  }

  /**
   * Returns a receiver whose session the broker keeps for another time without a connection. What
   * is published after that, until the receiver connects again, is lost to it.
   *
   * @param value 1 second to about 136 years; the default is 7 days
   * @throws ConfigurationException {@code OUT-021} if it is null or out of range
   */
  public MqttReceiver sessionExpiry(Duration value) {
    if (Require.nonNull("sessionExpiry", value).toSeconds() < 1
        || value.compareTo(EXPIRY_MAX) > 0) {
      throw invalid("sessionExpiry must be 1 second to 4294967294 seconds, not " + value);
    }
    return with(new Limits(value, limits.standBy(), limits.receiveMaximum()));
  }

  /**
   * Returns a receiver that, when another instance has taken its session over, takes it back after
   * another time: it cannot know whether that instance still lives.
   *
   * @param value more than zero; the default is 1 minute
   * @throws ConfigurationException {@code OUT-021} if it is null, zero or less
   */
  public MqttReceiver standBy(Duration value) {
    if (Require.nonNull("standBy", value).isNegative() || value.isZero()) {
      throw invalid("standBy must be more than zero, not " + value);
    }
    return with(new Limits(limits.expiry(), value, limits.receiveMaximum()));
  }

  /**
   * Returns a receiver to which the broker sends at most so many messages ahead of their
   * acknowledgements. The heap must hold them all: a receiver that comes back to a long backlog
   * gets that many at once, of whatever size the broker takes.
   *
   * @param count 1 to 65,535, which is the default. Mosquitto 2.0.11 sends more than a smaller
   *     number, and the receiver must then disconnect, every time
   * @throws ConfigurationException {@code OUT-021} if it is out of range
   */
  public MqttReceiver receiveMaximum(int count) {
    if (count < 1 || count > RECEIVE_MAXIMUM_DEFAULT) {
      throw invalid("receiveMaximum must be 1 to 65535, not " + count);
    }
    return with(new Limits(limits.expiry(), limits.standBy(), count));
  }

  /**
   * Returns a receiver that passes unreadable messages, those that are not CloudEvents, to a
   * handler and then skips them. By default, and if the handler fails, such a message blocks what
   * follows.
   */
  public MqttReceiver unreadable(UnreadableMessages noting) {
    return with(settings.withUnreadable(noting));
  }

  /**
   * Returns a receiver with a name of its own for the place that its messages come from. An inbox
   * takes place, source and id together for a message's identity, so that nobody who may publish to
   * one topic can impersonate a sender of another. By default the place is the topic.
   *
   * @param name 1 to 256 characters of ASCII without spaces; never to be changed
   * @throws ConfigurationException {@code OUT-021} if it has another form
   */
  public MqttReceiver origin(String name) {
    return with(settings.withOrigin(name));
  }

  private MqttReceiver with(Limits other) {
    return new MqttReceiver(broker, topicFilter, other, settings);
  }

  @Override
  protected MqttReceiver with(ReceiverSettings other) {
    return new MqttReceiver(broker, topicFilter, limits, other);
  }

  @Override
  protected OpenReceiver open(BatchHandler handler) {
    if (!topicFilter.contains("+") && !topicFilter.contains("#")) {
      settings.checkOrigin("topic", topicFilter);
    }
    MqttSession session = new MqttSession(this);
    return QueueReceiver.start(
        settings.context("MQTT topics " + topicFilter),
        handler,
        window -> MqttDeliveries.open(session));
  }

  MqttBroker broker() {
    return broker;
  }

  String topicFilter() {
    return topicFilter;
  }

  Limits limits() {
    return limits;
  }

  ReceiverSettings settings() {
    return settings;
  }

  /** Names the topics and the broker. */
  @Override
  public String toString() {
    return "MqttReceiver[" + topicFilter + " at " + broker + "]";
  }

  private static ConfigurationException invalid(String text) {
    return new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, text);
  }
}
