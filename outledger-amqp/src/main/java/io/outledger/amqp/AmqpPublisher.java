// SPDX-License-Identifier: Apache-2.0
package io.outledger.amqp;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.Require;
import io.outledger.cloudevents.CloudEvents;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Publishes messages to a broker of AMQP 1.0 as CloudEvents in binary mode, many on their way at a
 * time. A message counts as published when the broker has settled it as accepted.
 *
 * <p>Messages to one address share a link, which keeps their order. By default the address is the
 * message's topic.
 *
 * <p>Immutable and thread-safe; each setter returns a copy. After a crash what was not settled is
 * published again, with the same id.
 */
public final class AmqpPublisher implements Publisher {

  private static final int GROUPS_MAX = 1 << 20;

  private final AmqpBroker broker;
  private final Choices choices;

  /**
   * How messages are published.
   *
   * @param source the CloudEvents source
   * @param naming from a topic to an address
   * @param capability what kind of node an address is; null where the broker knows
   * @param marks what a message says to the broker
   */
  record Choices(
      String source, UnaryOperator<String> naming, @Nullable String capability, Marks marks) {}

  /**
   * What a message says to the broker besides its content.
   *
   * @param grouping the group of a key
   * @param isPartitioned whether it names its partition key
   * @param schedule when the broker is to enqueue it; null for at once
   */
  record Marks(
      Grouping grouping, boolean isPartitioned, Function<Message, @Nullable Instant> schedule) {}

  /**
   * Which group a message belongs to.
   *
   * @param groups how many there are; 0 for none, -1 for one for each key
   */
  record Grouping(int groups) {
    static final Grouping NONE = new Grouping(0);
    static final Grouping OF_KEY = new Grouping(-1);

    @Nullable String groupOf(@Nullable String key) {
      if (key == null || groups == 0) {
        return null;
      }
      return groups < 0 ? key : "outledger-" + Math.floorMod(spread(key), groups);
    }

    /** The same in every version of Java: a key must not change its consumer by an update. */
    private static int spread(String key) {
      int hash = 0;
      for (int i = 0; i < key.length(); i++) {
        hash = 31 * hash + key.charAt(i);
      }
      return hash ^ hash >>> 16;
    }
  }

  private AmqpPublisher(AmqpBroker broker, Choices choices) {
    this.broker = broker;
    this.choices = choices;
  }

  /** Makes a publisher that sends each message to the address with its topic's name. */
  public static AmqpPublisher to(AmqpBroker broker) {
    Choices defaults =
        new Choices(
            CloudEvents.SOURCE_DEFAULT,
            UnaryOperator.identity(),
            null,
            new Marks(Grouping.NONE, false, message -> null));
    return new AmqpPublisher(Require.nonNull("broker", broker), defaults);
  }

  /**
   * Returns a publisher with another CloudEvents source: who the messages are from. Receivers take
   * source and id together for a message's identity, so a source is not changed lightly.
   *
   * @param uri a URI reference of at most 200 characters; the default is {@code /outledger}
   * @throws ConfigurationException {@code OUT-021} if it is not a URI reference
   */
  public AmqpPublisher source(String uri) {
    return with(
        new Choices(
            CloudEvents.checkedSource(uri),
            choices.naming(),
            choices.capability(),
            choices.marks()));
  }

  /**
   * Returns a publisher that maps messages' topics to the broker's addresses, as RabbitMQ's {@code
   * /queues/orders} for {@code orders}. Messages of one key keep their order as long as they go to
   * one address.
   *
   * @param naming thread-safe, always the same answer; the default leaves the topic as it is. What
   *     it throws makes the message a dead letter
   */
  public AmqpPublisher addresses(UnaryOperator<String> naming) {
    return with(
        new Choices(
            choices.source(),
            Require.nonNull("naming", naming),
            choices.capability(),
            choices.marks()));
  }

  /**
   * Returns a publisher that says what kind of node its addresses are. A broker that makes nodes
   * when they are first used, such as Artemis, has to know.
   *
   * @param kind a capability of a target, such as {@code queue} or {@code topic}; none by default
   */
  public AmqpPublisher capability(String kind) {
    return with(
        new Choices(
            choices.source(), choices.naming(), Require.nonNull("kind", kind), choices.marks()));
  }

  /**
   * Returns a publisher that sets each message's group, which Azure Service Bus calls the session,
   * to its key. Some brokers keep something for each group, so keys must not be without number
   * there.
   */
  public AmqpPublisher groupByKey() {
    return with(Grouping.OF_KEY);
  }

  /**
   * Returns a publisher that spreads messages over this number of groups, by their key alone:
   * brokers with message groups give all messages of a group to the same consumer, so that several
   * consumers of a queue keep the order of keys.
   *
   * @param groups 1 to 1,048,576
   * @throws ConfigurationException {@code OUT-021} if it is out of range
   */
  public AmqpPublisher groupByKey(int groups) {
    if (groups < 1 || groups > GROUPS_MAX) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION, "groups must be 1 to 1,048,576, not " + groups);
    }
    return with(new Grouping(groups));
  }

  private AmqpPublisher with(Grouping grouping) {
    return with(new Marks(grouping, choices.marks().isPartitioned(), choices.marks().schedule()));
  }

  /**
   * Returns a publisher that names the partition of Azure Service Bus by the message's group where
   * it has one, and else by its key, in the annotation {@code x-opt-partition-key}.
   */
  public AmqpPublisher partitionByKey() {
    return with(new Marks(choices.marks().grouping(), true, choices.marks().schedule()));
  }

  /**
   * Returns a publisher that asks Azure Service Bus to enqueue messages at a time, in the
   * annotation {@code x-opt-scheduled-enqueue-time}. Messages that are scheduled overtake one
   * another.
   *
   * @param schedule from a message to its time, or null for at once; thread-safe. What it throws
   *     makes the message a dead letter
   */
  public AmqpPublisher schedule(Function<Message, @Nullable Instant> schedule) {
    Require.nonNull("schedule", schedule);
    return with(new Marks(choices.marks().grouping(), choices.marks().isPartitioned(), schedule));
  }

  private AmqpPublisher with(Marks other) {
    return with(new Choices(choices.source(), choices.naming(), choices.capability(), other));
  }

  private AmqpPublisher with(Choices other) {
    return new AmqpPublisher(broker, other);
  }

  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.PIPELINED;
  }

  /**
   * {@inheritDoc}
   *
   * @throws io.outledger.publish.DestinationUnavailableException if the broker cannot be reached,
   *     or refuses the credentials
   */
  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    Require.nonNull("outcomes", outcomes);
    return AmqpClient.open(broker, choices, deliveryTimeMax, outcomes);
  }

  Choices choices() {
    return choices;
  }

  /** Names the broker, without credentials. */
  @Override
  public String toString() {
    return "AmqpPublisher[" + broker + "]";
  }
}
