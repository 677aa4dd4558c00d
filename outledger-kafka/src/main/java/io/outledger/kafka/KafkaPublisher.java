// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.ConfigurationException;
import io.outledger.Message;
import io.outledger.Require;
import io.outledger.cloudevents.CloudEvents;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;

/**
 * Publishes messages to Apache Kafka as CloudEvents 1.0 in binary mode, through an idempotent
 * producer that is acknowledged by all in-sync replicas and keeps many messages on their way.
 *
 * <p>A message's key decides its partition, as Kafka's default partitioner does by the key's UTF-8
 * bytes. Messages without a key are spread. The record's own timestamp is the time of publishing,
 * so that Kafka's retention counts from there; the message's time is in the header {@code ce_time}.
 *
 * <p>Immutable and thread-safe. After a crash what was unacknowledged is published again, with the
 * same id.
 */
public final class KafkaPublisher implements Publisher {

  private final ProducerSettings settings;
  private final String source;
  private final TopicRouting routing;
  private final TimeSource time;

  private KafkaPublisher(
      ProducerSettings settings, String source, TopicRouting routing, TimeSource time) {
    this.settings = settings;
    this.source = source;
    this.routing = routing;
    this.time = time;
  }

  /**
   * Makes a publisher from Kafka's producer settings; {@code bootstrap.servers} must be among them.
   * Nothing is opened. What the order and safety of messages rest on is set by the publisher, and a
   * setting that contradicts it is refused. The settings come from code or files that you trust:
   * Kafka loads classes that they name.
   *
   * @param settings the producer's settings by their Kafka names
   * @throws ConfigurationException {@code OUT-021} listing every problem
   */
  public static KafkaPublisher with(Map<String, ?> settings) {
    return new KafkaPublisher(
        ProducerSettings.of(Require.nonNull("settings", settings)),
        CloudEvents.SOURCE_DEFAULT,
        TopicRouting.byTopic(UnaryOperator.identity()),
        TimeSource.system());
  }

  /**
   * Returns the names of the settings that a publisher decides itself: {@link #with} refuses other
   * values, or any. Whoever has a map for several producers leaves them out of it.
   */
  public static Set<String> decidedSettings() {
    return ProducerSettings.DECIDED;
  }

  /**
   * Returns a publisher with another CloudEvents source: who the messages are from. Receivers take
   * source and id together for a message's identity, so a source is not changed lightly.
   *
   * @param uri a URI reference of at most 200 characters; the default is {@code /outledger}
   * @throws ConfigurationException {@code OUT-021} if it is not a URI reference
   */
  public KafkaPublisher source(String uri) {
    return new KafkaPublisher(settings, CloudEvents.checkedSource(uri), routing, time);
  }

  /**
   * Returns a publisher that maps message topics to Kafka topics.
   *
   * @param naming from a message's topic to Kafka's; thread-safe, always the same answer; the
   *     default leaves it as it is. Where it throws, or returns null or what cannot be a topic's
   *     name, the message is a dead letter
   * @throws ConfigurationException {@code OUT-021} if it is null
   */
  public KafkaPublisher topics(UnaryOperator<String> naming) {
    return with(TopicRouting.byTopic(Require.nonNull("naming", naming)));
  }

  /**
   * Returns a publisher that chooses Kafka's topic by topic, type, key or headers. Messages of one
   * key keep their order in each topic of Kafka; nothing is promised between two topics.
   *
   * @param function from a message to the name of its topic in Kafka; thread-safe, always the same
   *     answer. Where it throws, or returns null or what cannot be a topic's name, the message is a
   *     dead letter
   * @throws ConfigurationException {@code OUT-021} if it is null
   */
  public KafkaPublisher routing(Function<Message, String> function) {
    return with(new TopicRouting(Require.nonNull("function", function), false));
  }

  private KafkaPublisher with(TopicRouting other) {
    return new KafkaPublisher(settings, source, other, time);
  }

  /**
   * Returns a publisher that takes the time from elsewhere: it says when a topic that did not exist
   * is looked up again. The default is {@link TimeSource#system()}.
   */
  public KafkaPublisher time(TimeSource value) {
    return new KafkaPublisher(settings, source, routing, Require.nonNull("time", value));
  }

  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.PIPELINED;
  }

  /**
   * {@inheritDoc}
   *
   * @throws ConfigurationException {@code OUT-021} if Kafka refuses the settings as a whole
   */
  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    DeliveryTimes times = DeliveryTimes.within(deliveryTimeMax);
    settings.checkWithin(times);
    return KafkaPublisherClient.open(
        directory(times),
        new ProducerOnDemand(() -> new KafkaProducer<>(settings.within(times))),
        outcomes,
        KafkaBinding.writer(source),
        new TopicRules(routing, time, times, settings.toString()));
  }

  private TopicDirectory directory(DeliveryTimes times) {
    Map<String, Object> asking = settings.forAsking(times);
    try {
      return new AdminTopics(Admin.create(asking), times.lookupMs());
    } catch (KafkaException e) {
      // The form of the addresses was checked before, so what is left is that no name was resolved.
      if (String.valueOf(e.getCause()).contains(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG)) {
        throw new DestinationUnavailableException("cannot resolve any address of " + settings, e);
      }
      throw RefusedSettings.of("producer", asking, e);
    }
  }

  /** Names the servers, without other settings, which may be secret. */
  @Override
  public String toString() {
    return "KafkaPublisher[" + settings + "]";
  }
}
