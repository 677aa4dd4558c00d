// SPDX-License-Identifier: Apache-2.0
package io.outledger.pulsar;

import io.outledger.receive.Window;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;

/**
 * A durable subscription to a topic.
 *
 * @param topic the topic's whole name, as {@code persistent://public/default/orders}
 * @param name the subscription's name
 * @param type how instances share it
 * @param window how much may wait at the client
 */
record PulsarSubscription(String topic, String name, SubscriptionType type, Window window) {

  /** How many messages wait at the client, of each partition. */
  static final int AHEAD_MAX = 100;

  private static final int AHEAD_MAX_ALL = 1_000;
  private static final String STORED = "persistent://";
  private static final String NAMESPACE_DEFAULT = STORED + "public/default/";

  /** Returns the whole name of a topic, as Pulsar completes it. */
  static String wholeName(String topic) {
    if (topic.contains("://")) {
      return topic;
    }
    return topic.contains("/") ? STORED + topic : NAMESPACE_DEFAULT + topic;
  }

  PulsarSubscription withType(SubscriptionType other) {
    return new PulsarSubscription(topic, name, other, window);
  }

  PulsarSubscription withWindow(Window other) {
    return new PulsarSubscription(topic, name, type, other);
  }

  private int aheadMax(int partitions) {
    return window == Window.ONE ? 1 : Math.max(1, Math.min(AHEAD_MAX, AHEAD_MAX_ALL / partitions));
  }

  /**
   * Subscribes to a partition.
   *
   * @param partition its whole name, or that of a topic without partitions
   * @param instance the instance's name, by which Pulsar shares partitions out
   * @param partitions how many partitions there are
   */
  CompletableFuture<Consumer<byte[]>> consumer(
      PulsarClient pulsar, String partition, String instance, int partitions) {
    return pulsar
        .newConsumer()
        .consumerName(instance)
        .topic(partition)
        .subscriptionName(name)
        .subscriptionType(type)
        .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
        .receiverQueueSize(aheadMax(partitions))
        .acknowledgmentGroupTime(0, TimeUnit.MILLISECONDS)
        .isAckReceiptEnabled(true)
        .enableBatchIndexAcknowledgment(true)
        .subscribeAsync();
  }

  @Override
  public String toString() {
    return name + " of " + topic;
  }
}
