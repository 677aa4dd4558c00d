// SPDX-License-Identifier: Apache-2.0
package io.outledger.pulsar;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Received;
import io.outledger.receive.BrokerReceiver;
import io.outledger.receive.OpenReceiver;
import io.outledger.receive.QueueReceiver;
import io.outledger.receive.ReceiverSettings;
import io.outledger.receive.UnreadableMessages;
import io.outledger.receive.Window;
import org.apache.pulsar.client.api.SubscriptionType;
import org.jspecify.annotations.Nullable;

/**
 * Receives from a topic of Apache Pulsar through a durable subscription, and hands the messages to
 * a {@link BatchHandler}. Each message is acknowledged by itself, and only after it has taken
 * effect; so after a crash it comes again, and a handler with an inbox does nothing twice.
 *
 * <p>The subscription is key-shared: instances share the keys out, and each key's messages come in
 * order. {@link #failover} gives one instance at a time all of them.
 *
 * <p>Immutable and thread-safe; each setter returns a copy.
 */
public final class PulsarReceiver extends BrokerReceiver<PulsarReceiver> {

  private static final String NAME = "[A-Za-z0-9_.-]{1,200}";
  private static final int TOPIC_CHARS_MAX = 200;

  private final PulsarCluster cluster;
  private final PulsarSubscription subscription;

  private PulsarReceiver(
      PulsarCluster cluster, PulsarSubscription subscription, ReceiverSettings settings) {
    super(settings);
    this.cluster = cluster;
    this.subscription = subscription;
  }

  /**
   * Makes a receiver. Nothing is opened.
   *
   * @param topic the topic, such as {@code orders} or {@code shop/orders/placed}
   * @param subscription the durable subscription's name: all instances of one application have the
   *     same. It is created where it does not exist, and then starts with the oldest message
   * @throws ConfigurationException {@code OUT-021} if an argument is null, the topic does not have
   *     1 to 200 characters of ASCII without spaces or is one that stores nothing, or the
   *     subscription is not 1 to 200 letters, digits, underscores, dots and dashes
   */
  public static PulsarReceiver of(PulsarCluster cluster, String topic, String subscription) {
    Require.nonNull("cluster", cluster);
    checkTopic(topic);
    checkName("subscription", subscription);
    return new PulsarReceiver(
        cluster,
        new PulsarSubscription(
            PulsarSubscription.wholeName(topic),
            subscription,
            SubscriptionType.Key_Shared,
            Window.FULL),
        ReceiverSettings.DEFAULT);
  }

  /**
   * Returns a receiver whose subscription gives one instance at a time all messages, or all of a
   * partition; another takes over when it is gone. For topics whose senders batch messages of
   * several keys, or whose order counts across keys. A subscription keeps its type for as long as
   * anybody is connected to it.
   */
  public PulsarReceiver failover() {
    return new PulsarReceiver(cluster, subscription.withType(SubscriptionType.Failover), settings);
  }

  /**
   * Returns a receiver that passes unreadable messages, those that are not CloudEvents, encrypted
   * ones, chunks of larger ones, and entries whose metadata lies, to a handler and then skips them.
   * By default, and if the handler fails, such a message blocks its topic or partition.
   *
   * @throws ConfigurationException {@code OUT-021} if it is null
   */
  public PulsarReceiver unreadable(UnreadableMessages noting) {
    return with(settings.withUnreadable(noting));
  }

  /**
   * Returns a receiver with a name of its own for the place that its messages come from. An inbox
   * takes place, source and id together for a message's identity, so that nobody who may publish to
   * one topic can impersonate a sender of another. By default the place is the topic's whole name.
   *
   * @param name 1 to 256 characters of ASCII without spaces; never to be changed
   * @throws ConfigurationException {@code OUT-021} if it has another form
   */
  public PulsarReceiver origin(String name) {
    return with(settings.withOrigin(name));
  }

  @Override
  protected PulsarReceiver with(ReceiverSettings other) {
    return new PulsarReceiver(cluster, subscription, other);
  }

  @Override
  protected OpenReceiver open(BatchHandler handler) {
    return QueueReceiver.start(
        settings.context("Pulsar subscription " + subscription),
        handler,
        window -> PulsarDeliveries.open(cluster, subscription.withWindow(window), settings));
  }

  /** Names the subscription, the topic and the service URL. */
  @Override
  public String toString() {
    return "PulsarReceiver[" + subscription + " at " + cluster + "]";
  }

  // Data from configuration may well be null where its type says otherwise.
  private static void checkTopic(@Nullable String topic) {
    String name = Require.nonNull("topic", topic);
    boolean isName =
        !name.isEmpty()
            && name.length() <= TOPIC_CHARS_MAX
            && Received.isOrigin(name)
            && (!name.contains("://") || name.startsWith("persistent://"));
    if (!isName) {
      throw invalid(
          "the Pulsar receiver's topic must have 1 to 200 characters of ASCII without spaces, and"
              + " be persistent");
    }
  }

  private static void checkName(String what, @Nullable String name) {
    if (!Require.nonNull(what, name).matches(NAME)) {
      throw invalid(
          "the Pulsar receiver's "
              + what
              + " must be 1 to 200 letters, digits, underscores, dots and dashes");
    }
  }

  private static ConfigurationException invalid(String text) {
    return new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, text);
  }
}
