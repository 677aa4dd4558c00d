// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A publisher that properties describe: where a subscription's messages go. It has the properties
 * of exactly one broker. A broker of which nothing else is to be set is chosen with {@code
 * enabled=true}; with {@code enabled=false} it is as if it was not there.
 *
 * <p>Names of topics, queues and the like may contain {@code {topic}}, which is the message's.
 *
 * @param source the CloudEvents source of all messages; a mail has none
 * @param kafka Apache Kafka, reached as spring.kafka.* says
 * @param rabbitmq RabbitMQ, reached as spring.rabbitmq.* says
 * @param nats NATS JetStream
 * @param jms Jakarta Messaging, through a bean of type ConnectionFactory
 * @param amqp a broker of AMQP 1.0
 * @param sqs queues of Amazon SQS
 * @param sns topics of Amazon SNS
 * @param redis streams of Redis, reached as spring.data.redis.* says
 * @param mqtt a broker of MQTT 5
 * @param pulsar Apache Pulsar, reached as spring.pulsar.client.* says
 * @param webhook an HTTP endpoint
 * @param mail mails, sent as spring.mail.* says
 */
public record PublisherProperties(
    @DefaultValue("/outledger") String source,
    @Nullable Kafka kafka,
    @Nullable Rabbitmq rabbitmq,
    @Nullable Nats nats,
    @Nullable Jms jms,
    @Nullable Amqp amqp,
    @Nullable Sqs sqs,
    @Nullable Sns sns,
    @Nullable Redis redis,
    @Nullable Mqtt mqtt,
    @Nullable Pulsar pulsar,
    @Nullable Webhook webhook,
    @Nullable Mail mail) {

  /** Returns the brokers that are enabled, by the names of their properties. */
  Map<String, BrokerChoice> brokers() {
    Map<String, BrokerChoice> enabled = new LinkedHashMap<>();
    BrokerChoice.add("kafka", kafka, enabled);
    BrokerChoice.add("rabbitmq", rabbitmq, enabled);
    BrokerChoice.add("nats", nats, enabled);
    BrokerChoice.add("jms", jms, enabled);
    BrokerChoice.add("amqp", amqp, enabled);
    BrokerChoice.add("sqs", sqs, enabled);
    BrokerChoice.add("sns", sns, enabled);
    BrokerChoice.add("redis", redis, enabled);
    BrokerChoice.add("mqtt", mqtt, enabled);
    BrokerChoice.add("pulsar", pulsar, enabled);
    BrokerChoice.add("webhook", webhook, enabled);
    BrokerChoice.add("mail", mail, enabled);
    return enabled;
  }

  /** Says whether properties of some broker are there, if only to disable it. */
  boolean isEmpty() {
    return this.equals(
        new PublisherProperties(
            source, null, null, null, null, null, null, null, null, null, null, null, null));
  }

  /**
   * Apache Kafka.
   *
   * @param enabled whether messages are published there
   * @param topic Kafka's topic
   * @param sslBundle the name of an SSL bundle, in place of that of spring.kafka.ssl.bundle
   * @param properties further settings of the producer, by their Kafka names
   */
  public record Kafka(
      @DefaultValue("true") boolean enabled,
      @DefaultValue(Naming.SAME) String topic,
      @Nullable String sslBundle,
      @DefaultValue Map<String, String> properties)
      implements BrokerChoice {

    /** Names the topic alone: settings may be secret. */
    @Override
    public String toString() {
      return "Kafka[" + topic + "]";
    }
  }

  /**
   * RabbitMQ.
   *
   * @param enabled whether messages are published there
   * @param exchange the exchange, which must exist; by default the one that leads to the queue
   *     named as the routing key
   * @param routingKey the routing key
   * @param sslBundle the name of an SSL bundle, in place of that of spring.rabbitmq.ssl.bundle
   */
  public record Rabbitmq(
      @DefaultValue("true") boolean enabled,
      @DefaultValue("") String exchange,
      @DefaultValue(Naming.SAME) String routingKey,
      @Nullable String sslBundle)
      implements BrokerChoice {}

  /**
   * NATS JetStream.
   *
   * @param enabled whether messages are published there
   * @param url the servers, such as tls://nats-1:4222,tls://nats-2:4222; by default those of the
   *     application's bean of type Options
   * @param username the user, if there is one
   * @param password the user's password
   * @param credentialsFile a file with the user's JWT and key
   * @param sslBundle the name of an SSL bundle
   * @param subject the subject; a stream must take it
   */
  public record Nats(
      @DefaultValue("true") boolean enabled,
      @Nullable String url,
      @Nullable String username,
      @Nullable String password,
      @Nullable String credentialsFile,
      @Nullable String sslBundle,
      @DefaultValue(Naming.SAME) String subject)
      implements BrokerChoice {

    BrokerAddress address() {
      return new BrokerAddress(url, username, password, sslBundle);
    }

    /** Names the subject alone. */
    @Override
    public String toString() {
      return "Nats[" + subject + "]";
    }
  }

  /**
   * Jakarta Messaging.
   *
   * @param enabled whether messages are published there
   * @param connectionFactory the name of the bean of type ConnectionFactory, where there are
   *     several
   * @param toTopics whether messages go to topics, and not to queues; their name is the message's
   *     topic
   */
  public record Jms(
      @DefaultValue("true") boolean enabled,
      @Nullable String connectionFactory,
      @DefaultValue("false") boolean toTopics)
      implements BrokerChoice {}

  /**
   * A broker of AMQP 1.0.
   *
   * @param enabled whether messages are published there
   * @param url the broker, such as amqps://broker-1:5671
   * @param username the user, if there is one
   * @param password the user's password
   * @param sslBundle the name of an SSL bundle
   * @param address the address, such as /queues/{topic} of RabbitMQ
   * @param capability what kind of node an address is, such as queue, where the broker has to know
   */
  public record Amqp(
      @DefaultValue("true") boolean enabled,
      @Nullable String url,
      @Nullable String username,
      @Nullable String password,
      @Nullable String sslBundle,
      @DefaultValue(Naming.SAME) String address,
      @Nullable String capability)
      implements BrokerChoice {

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
   * @param enabled whether messages are published there
   * @param queue the queue's name, such as {topic}.fifo, or its URL
   * @param region the region; by default the client is the application's bean of type
   *     SqsAsyncClient, and without one that which AWS's own settings describe
   * @param endpoint another address of the service, such as that of an emulator
   */
  public record Sqs(
      @DefaultValue("true") boolean enabled,
      @DefaultValue(Naming.SAME) String queue,
      @Nullable String region,
      @Nullable String endpoint)
      implements BrokerChoice {}

  /**
   * Amazon SNS.
   *
   * @param enabled whether messages are published there
   * @param topicArn the topic's ARN, such as arn:aws:sns:eu-central-1:123456789012:{topic}
   * @param region the region; by default the client is the application's bean of type
   *     SnsAsyncClient, and without one that which AWS's own settings describe
   * @param endpoint another address of the service, such as that of an emulator
   */
  public record Sns(
      @DefaultValue("true") boolean enabled,
      @Nullable String topicArn,
      @Nullable String region,
      @Nullable String endpoint)
      implements BrokerChoice {}

  /**
   * Streams of Redis.
   *
   * @param enabled whether messages are published there
   * @param stream the stream's key
   * @param replicas how many replicas must have a message before it counts as published
   * @param sslBundle the name of an SSL bundle, in place of that of spring.data.redis.ssl.bundle
   */
  public record Redis(
      @DefaultValue("true") boolean enabled,
      @DefaultValue(Naming.SAME) String stream,
      @DefaultValue("0") int replicas,
      @Nullable String sslBundle)
      implements BrokerChoice {}

  /**
   * A broker of MQTT 5.
   *
   * @param enabled whether messages are published there
   * @param url the broker, such as mqtts://broker-1:8883
   * @param username the user, if there is one
   * @param password the user's password
   * @param sslBundle the name of an SSL bundle
   * @param clientId the client id of this publisher, which no other client has
   * @param topic the broker's topic
   */
  public record Mqtt(
      @DefaultValue("true") boolean enabled,
      @Nullable String url,
      @Nullable String username,
      @Nullable String password,
      @Nullable String sslBundle,
      @Nullable String clientId,
      @DefaultValue(Naming.SAME) String topic)
      implements BrokerChoice {

    BrokerAddress address() {
      return new BrokerAddress(url, username, password, sslBundle);
    }

    /** Names client id and topic alone. */
    @Override
    public String toString() {
      return "Mqtt[" + clientId + ", " + topic + "]";
    }
  }

  /**
   * Apache Pulsar.
   *
   * @param enabled whether messages are published there
   * @param topic Pulsar's topic, such as shop/orders/{topic}
   */
  public record Pulsar(
      @DefaultValue("true") boolean enabled, @DefaultValue(Naming.SAME) String topic)
      implements BrokerChoice {}

  /**
   * An HTTP endpoint.
   *
   * @param enabled whether messages are published there
   * @param url where messages are posted to
   * @param ownNetwork whether the endpoint may be in the application's own network, and plain http
   * @param secrets the secrets that requests are signed with; several while one replaces another
   * @param headers further headers of each request
   * @param binary whether the payload is the body, and the attributes are headers
   * @param timeout how long connecting may take, and then the answer
   * @param threads how many requests are made side by side
   */
  public record Webhook(
      @DefaultValue("true") boolean enabled,
      @Nullable String url,
      @DefaultValue("false") boolean ownNetwork,
      @DefaultValue List<String> secrets,
      @DefaultValue Map<String, String> headers,
      @DefaultValue("false") boolean binary,
      @DefaultValue("15s") Duration timeout,
      @DefaultValue("16") int threads)
      implements BrokerChoice {

    /** Says nothing of the endpoint: address, headers and secrets may all be secret. */
    @Override
    public String toString() {
      return "Webhook[]";
    }
  }

  /**
   * Mails.
   *
   * @param enabled whether messages are sent
   * @param from the sender's address
   * @param fromName the name that is shown with it
   * @param to who gets a mail of each message, in place of a bean of type MailMapper
   * @param subject the subject of such a mail; {type}, {topic} and {key} are the message's
   * @param mapper the name of the bean of type MailMapper, where there are several
   * @param threads how many mails are sent side by side
   */
  public record Mail(
      @DefaultValue("true") boolean enabled,
      @Nullable String from,
      @DefaultValue("") String fromName,
      @DefaultValue List<String> to,
      @DefaultValue(NoticeMail.SUBJECT) String subject,
      @Nullable String mapper,
      @DefaultValue("4") int threads)
      implements BrokerChoice {}
}
