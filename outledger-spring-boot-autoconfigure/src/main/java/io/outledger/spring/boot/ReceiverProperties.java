// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.relay.options.RetryPolicy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A receiver that properties describe: where a consumer's messages come from. It has the properties
 * of exactly one broker.
 *
 * @param attemptsMax after how many failed attempts a message is a dead letter
 * @param backoffFirst the longest wait after the first failed attempt; it doubles with each
 * @param backoffMax the longest wait between two attempts
 * @param deadLetter whether later messages of a dead letter's key go on or stay blocked
 * @param replaces whether what earlier instances of the consumer declared, and this one has not,
 *     ends: a listener that was removed
 * @param parkedMax how many messages the consumer may have parked; beyond it, receiving pauses
 * @param foreign what becomes of deliveries that are no CloudEvents, or cannot be read as one
 * @param origin what to call the place that messages come from, as part of their identity, where
 *     that is renamed; by default the broker's name for it
 * @param kafka Apache Kafka, reached as spring.kafka.* says
 * @param rabbitmq RabbitMQ, reached as spring.rabbitmq.* says
 * @param nats NATS JetStream
 * @param jms Jakarta Messaging, through a bean of type ConnectionFactory
 * @param amqp a broker of AMQP 1.0
 * @param sqs a queue of Amazon SQS
 * @param redis a stream of Redis, reached as spring.data.redis.* says
 * @param mqtt a broker of MQTT 5
 * @param pulsar Apache Pulsar, reached as spring.pulsar.client.* says
 */
public record ReceiverProperties(
    @DefaultValue("10") int attemptsMax,
    @DefaultValue("1s") Duration backoffFirst,
    @DefaultValue("5m") Duration backoffMax,
    @DefaultValue("key_goes_on") RetryPolicy.DeadLetter deadLetter,
    @DefaultValue("false") boolean replaces,
    @DefaultValue("10000") int parkedMax,
    @DefaultValue("set_aside") Foreign foreign,
    @Nullable String origin,
    @Nullable Kafka kafka,
    @Nullable Rabbitmq rabbitmq,
    @Nullable Nats nats,
    @Nullable Jms jms,
    @Nullable Amqp amqp,
    @Nullable Sqs sqs,
    @Nullable Redis redis,
    @Nullable Mqtt mqtt,
    @Nullable Pulsar pulsar) {

  /** What becomes of a delivery that is no CloudEvent, or cannot be read as one. */
  public enum Foreign {
    /** It is parked as a dead letter, and everything behind it goes on. */
    SET_ASIDE,
    /** It holds its stream until somebody removes it at the broker. */
    HOLD
  }

  /** Returns the brokers that are enabled, by the names of their properties. */
  Map<String, ReceivingChoice> brokers() {
    Map<String, ReceivingChoice> enabled = new LinkedHashMap<>();
    BrokerChoice.add("kafka", kafka, enabled);
    BrokerChoice.add("rabbitmq", rabbitmq, enabled);
    BrokerChoice.add("nats", nats, enabled);
    BrokerChoice.add("jms", jms, enabled);
    BrokerChoice.add("amqp", amqp, enabled);
    BrokerChoice.add("sqs", sqs, enabled);
    BrokerChoice.add("redis", redis, enabled);
    BrokerChoice.add("mqtt", mqtt, enabled);
    BrokerChoice.add("pulsar", pulsar, enabled);
    return enabled;
  }

  /** Says whether properties of no broker are there, not even to disable it. */
  boolean isEmpty() {
    return kafka == null
        && rabbitmq == null
        && nats == null
        && jms == null
        && amqp == null
        && sqs == null
        && redis == null
        && mqtt == null
        && pulsar == null;
  }

  /**
   * Apache Kafka.
   *
   * @param enabled whether messages are received from there
   * @param topics Kafka's topics
   * @param groupId the consumer group, by default the consumer's name. Two consumers in one group
   *     would share the records
   * @param sslBundle the name of an SSL bundle, in place of that of spring.kafka.ssl.bundle
   * @param properties further settings of the consumer, by their Kafka names
   */
  public record Kafka(
      @DefaultValue("true") boolean enabled,
      @DefaultValue List<String> topics,
      @Nullable String groupId,
      @Nullable String sslBundle,
      @DefaultValue Map<String, String> properties)
      implements ReceivingChoice {

    @Override
    public Set<Source> sources(String consumer) {
      String group = Objects.requireNonNullElse(groupId, consumer);
      return topics.stream()
          .flatMap(topic -> Source.within("consumer group", group, "topic", topic, null).stream())
          .collect(Collectors.toSet());
    }

    /** Names the topics alone: settings may be secret. */
    @Override
    public String toString() {
      return "Kafka" + topics;
    }
  }

  /**
   * RabbitMQ.
   *
   * @param enabled whether messages are received from there
   * @param queue the queue, which must exist
   * @param prefetch how many messages the broker delivers before they are acknowledged
   * @param sslBundle the name of an SSL bundle, in place of that of spring.rabbitmq.ssl.bundle
   */
  public record Rabbitmq(
      @DefaultValue("true") boolean enabled,
      @Nullable String queue,
      @DefaultValue("200") int prefetch,
      @Nullable String sslBundle)
      implements ReceivingChoice {

    @Override
    public Set<Source> sources(String consumer) {
      return Source.of("queue", queue, null);
    }
  }

  /**
   * NATS JetStream.
   *
   * @param enabled whether messages are received from there
   * @param url the servers, such as tls://nats-1:4222,tls://nats-2:4222; by default those of the
   *     application's bean of type Options
   * @param username the user, if there is one
   * @param password the user's password
   * @param credentialsFile a file with the user's JWT and key
   * @param sslBundle the name of an SSL bundle
   * @param stream the stream, which must exist
   * @param durable the name of the durable consumer at the server, by default the consumer's name
   * @param subjects the subjects to receive; by default all of the stream
   * @param ackWait how long the server waits for an acknowledgement
   */
  public record Nats(
      @DefaultValue("true") boolean enabled,
      @Nullable String url,
      @Nullable String username,
      @Nullable String password,
      @Nullable String credentialsFile,
      @Nullable String sslBundle,
      @Nullable String stream,
      @Nullable String durable,
      @Nullable String subjects,
      @DefaultValue("30s") Duration ackWait)
      implements ReceivingChoice {

    @Override
    public Set<Source> sources(String consumer) {
      String name = Objects.requireNonNullElse(durable, consumer);
      return Source.within("durable consumer", name, "stream", stream, url);
    }

    BrokerAddress address() {
      return new BrokerAddress(url, username, password, sslBundle);
    }

    /** Names the stream alone. */
    @Override
    public String toString() {
      return "Nats[" + stream + "]";
    }
  }

  /**
   * Jakarta Messaging: a queue, or a topic.
   *
   * @param enabled whether messages are received from there
   * @param connectionFactory the name of the bean of type ConnectionFactory, where there are
   *     several
   * @param queue the queue
   * @param topic the topic, in place of a queue
   * @param subscription the name of the shared durable subscription to the topic, by default the
   *     consumer's name
   */
  public record Jms(
      @DefaultValue("true") boolean enabled,
      @Nullable String connectionFactory,
      @Nullable String queue,
      @Nullable String topic,
      @Nullable String subscription)
      implements ReceivingChoice {

    @Override
    public Set<Source> sources(String consumer) {
      String name = Objects.requireNonNullElse(subscription, consumer);
      return queue == null
          ? Source.within("subscription", name, "topic", topic, connectionFactory)
          : Source.of("queue", queue, connectionFactory);
    }
  }

  /**
   * A broker of AMQP 1.0.
   *
   * @param enabled whether messages are received from there
   * @param url the broker, such as amqps://broker-1:5671
   * @param username the user, if there is one
   * @param password the user's password
   * @param sslBundle the name of an SSL bundle
   * @param address the address: a queue, or what the broker calls a subscription
   * @param capability what kind of node the address is, such as queue, where the broker has to know
   */
  public record Amqp(
      @DefaultValue("true") boolean enabled,
      @Nullable String url,
      @Nullable String username,
      @Nullable String password,
      @Nullable String sslBundle,
      @Nullable String address,
      @Nullable String capability)
      implements ReceivingChoice {

    @Override
    public Set<Source> sources(String consumer) {
      boolean isForAll = "topic".equals(capability);
      return isForAll ? Set.of() : Source.of("address", address, url);
    }

    BrokerAddress broker() {
      return new BrokerAddress(url, username, password, sslBundle);
    }

    /** Names the address alone. */
    @Override
    public String toString() {
      return "Amqp[" + address + "]";
    }
  }

  /**
   * Amazon SQS.
   *
   * @param enabled whether messages are received from there
   * @param queue the queue's name or URL
   * @param visibility how long SQS waits for a message to be deleted before it delivers it again
   * @param region the region; by default the client is the application's bean of type
   *     SqsAsyncClient, and without one that which AWS's own settings describe
   * @param endpoint another address of the service, such as that of an emulator
   */
  public record Sqs(
      @DefaultValue("true") boolean enabled,
      @Nullable String queue,
      @DefaultValue("30s") Duration visibility,
      @Nullable String region,
      @Nullable String endpoint)
      implements ReceivingChoice {

    @Override
    public Set<Source> sources(String consumer) {
      return Source.of("queue", queue, region + " " + endpoint);
    }
  }

  /**
   * A stream of Redis.
   *
   * @param enabled whether messages are received from there
   * @param stream the stream's key
   * @param group the consumer group, by default the consumer's name
   * @param takeOverAfter after how long without a sign of an instance another takes over from it
   * @param sslBundle the name of an SSL bundle, in place of that of spring.data.redis.ssl.bundle
   */
  public record Redis(
      @DefaultValue("true") boolean enabled,
      @Nullable String stream,
      @Nullable String group,
      @DefaultValue("30s") Duration takeOverAfter,
      @Nullable String sslBundle)
      implements ReceivingChoice {

    @Override
    public Set<Source> sources(String consumer) {
      String name = Objects.requireNonNullElse(group, consumer);
      return Source.within("group", name, "stream", stream, null);
    }
  }

  /**
   * A broker of MQTT 5.
   *
   * @param enabled whether messages are received from there
   * @param url the broker, such as mqtts://broker-1:8883
   * @param username the user, if there is one
   * @param password the user's password
   * @param sslBundle the name of an SSL bundle
   * @param clientId the client id of this receiver, which no other client has; never to be changed
   * @param topicFilter the topics, with + and # as MQTT means them
   * @param sessionExpiry how long the broker keeps the session without a connection
   */
  public record Mqtt(
      @DefaultValue("true") boolean enabled,
      @Nullable String url,
      @Nullable String username,
      @Nullable String password,
      @Nullable String sslBundle,
      @Nullable String clientId,
      @Nullable String topicFilter,
      @DefaultValue("7d") Duration sessionExpiry)
      implements ReceivingChoice {

    @Override
    public Set<Source> sources(String consumer) {
      return Source.of("client id", clientId, url);
    }

    BrokerAddress address() {
      return new BrokerAddress(url, username, password, sslBundle);
    }

    /** Names client id and topics alone. */
    @Override
    public String toString() {
      return "Mqtt[" + clientId + ", " + topicFilter + "]";
    }
  }

  /**
   * Apache Pulsar.
   *
   * @param enabled whether messages are received from there
   * @param topic Pulsar's topic
   * @param subscription the durable subscription, by default the consumer's name
   * @param failover whether one instance at a time gets all messages, and not each those of some
   *     keys
   */
  public record Pulsar(
      @DefaultValue("true") boolean enabled,
      @Nullable String topic,
      @Nullable String subscription,
      @DefaultValue("false") boolean failover)
      implements ReceivingChoice {

    @Override
    public Set<Source> sources(String consumer) {
      String name = Objects.requireNonNullElse(subscription, consumer);
      return Source.within("subscription", name, "topic", topic, null);
    }
  }
}
