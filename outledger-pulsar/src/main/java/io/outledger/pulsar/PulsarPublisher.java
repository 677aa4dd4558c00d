// SPDX-License-Identifier: Apache-2.0
package io.outledger.pulsar;

import io.outledger.ConfigurationException;
import io.outledger.Require;
import io.outledger.cloudevents.CloudEvents;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * Publishes messages to topics of Apache Pulsar as CloudEvents 1.0 in binary mode. A message is
 * published once a broker has acknowledged it.
 *
 * <p>A message's key is the key of Pulsar's message: it decides the partition, and the consumer of
 * a key-shared subscription. Many messages are on their way at once, each an entry of its own, in
 * the order of their keys.
 *
 * <p>Immutable and thread-safe; each setter returns a copy. After a crash what was unacknowledged
 * is published again, with the same id.
 */
public final class PulsarPublisher implements Publisher {

  private final PulsarCluster cluster;
  private final String source;
  private final UnaryOperator<String> naming;

  private PulsarPublisher(PulsarCluster cluster, String source, UnaryOperator<String> naming) {
    this.cluster = cluster;
    this.source = source;
    this.naming = naming;
  }

  /**
   * Makes a publisher. Nothing is opened.
   *
   * @throws ConfigurationException {@code OUT-021} if the cluster is null
   */
  public static PulsarPublisher to(PulsarCluster cluster) {
    return new PulsarPublisher(
        Require.nonNull("cluster", cluster), CloudEvents.SOURCE_DEFAULT, UnaryOperator.identity());
  }

  /**
   * Returns a publisher with another CloudEvents source: who the messages are from. Receivers take
   * source and id together for a message's identity, so a source is not changed lightly.
   *
   * @param uri a URI reference of at most 200 characters; the default is {@code /outledger}
   * @throws ConfigurationException {@code OUT-021} if it is not a URI reference
   */
  public PulsarPublisher source(String uri) {
    return new PulsarPublisher(cluster, CloudEvents.checkedSource(uri), naming);
  }

  /**
   * Returns a publisher that maps messages' topics to those of Pulsar.
   *
   * @param naming from a message's topic to Pulsar's, such as {@code shop/orders/placed};
   *     thread-safe, always the same answer; the default leaves it as it is. What it throws makes
   *     the message a dead letter
   * @throws ConfigurationException {@code OUT-021} if it is null
   */
  public PulsarPublisher topics(UnaryOperator<String> naming) {
    return new PulsarPublisher(cluster, source, Require.nonNull("naming", naming));
  }

  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.PIPELINED;
  }

  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    return new PulsarPublisherClient(this, deliveryTimeMax, outcomes);
  }

  PulsarCluster cluster() {
    return cluster;
  }

  String sourceUri() {
    return source;
  }

  String topicOf(String topic) {
    return naming.apply(topic);
  }

  /** Names the service URL. */
  @Override
  public String toString() {
    return "PulsarPublisher[" + cluster + "]";
  }
}
