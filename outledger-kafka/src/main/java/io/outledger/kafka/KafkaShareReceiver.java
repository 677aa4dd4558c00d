// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.inbox.BatchHandler;
import io.outledger.receive.BrokerReceiver;
import io.outledger.receive.OpenReceiver;
import io.outledger.receive.ParkingHandler;
import io.outledger.receive.QueueReceiver;
import io.outledger.receive.ReceiverSettings;
import java.util.List;
import java.util.Map;

/**
 * Receives the records of Kafka topics as a member of a share group and hands them to a {@link
 * BatchHandler}. Members share the records of a partition, as consumers of a queue do, so there may
 * be more of them than partitions, and no order is kept, not even within a key; {@link
 * KafkaReceiver} keeps it. A record is acknowledged by itself, and only after it has taken effect
 * or is parked; so after a crash records come again, and a handler with an inbox does nothing
 * twice.
 *
 * <p>Kafka gives a record up once it was delivered as often as the group's {@code
 * share.delivery.count.limit} says, whatever became of it. So a record is held, and its lock
 * renewed, while the consumer's database is away; nothing is received before the database answers;
 * and a record that has come nearly as often as it may is stored in the database before it is
 * tried. That takes an inbox's handler. With others, a record that still fails, or whose process
 * still ends, in its last delivery is not received again.
 *
 * <p>Needs brokers 4.3 or newer and kafka-clients 4.2 or newer. Immutable and thread-safe; each
 * start is a member of the group of its own.
 */
public final class KafkaShareReceiver extends BrokerReceiver<KafkaShareReceiver> {

  private final ShareSettings consumer;
  private final List<String> topics;
  private final ReceiverChoices choices;

  private KafkaShareReceiver(
      ShareSettings consumer,
      List<String> topics,
      ReceiverChoices choices,
      ReceiverSettings settings) {
    super(settings);
    this.consumer = consumer;
    this.topics = topics;
    this.choices = choices;
  }

  /**
   * Makes a receiver from settings of Kafka's share consumer; {@code bootstrap.servers} and {@code
   * group.id} must be among them. Nothing is opened. They come from code or files that you trust:
   * Kafka loads classes that they name. What the group as a whole does, such as where it starts, is
   * a setting of Kafka's cluster: the receiver checks it, and says what to set.
   *
   * @param settings the consumer's settings by their Kafka names
   * @throws ConfigurationException {@code OUT-021} listing every problem, or if the kafka-clients
   *     on the class path are older than 4.2
   */
  public static KafkaShareReceiver with(Map<String, ?> settings) {
    ShareSettings checked = ShareSettings.of(Require.nonNull("settings", settings));
    ClientVersion.current().require(4, 2, "share groups");
    return new KafkaShareReceiver(
        checked, List.of(), ReceiverChoices.DEFAULT, ReceiverSettings.DEFAULT);
  }

  /**
   * Returns a receiver of these topics of Kafka, in place of those named before.
   *
   * @throws ConfigurationException {@code OUT-021} if a name cannot be a topic's
   */
  public KafkaShareReceiver topics(String... names) {
    for (String name : Require.nonNull("names", names)) {
      TopicNames.configured("topic", name);
    }
    return new KafkaShareReceiver(consumer, List.of(names), choices, settings);
  }

  /** Returns a receiver that treats records that are not CloudEvents as given; default: stop. */
  public KafkaShareReceiver foreign(ForeignRecords choice) {
    return with(choices.withForeign(Require.nonNull("choice", choice)));
  }

  /**
   * Returns a receiver that passes unreadable records to a handler and then skips them. By default,
   * and if the handler fails, such a record holds this receiver; other members of the group go on.
   */
  public KafkaShareReceiver unreadable(UnreadableRecords noting) {
    return with(choices.withUnreadable(Require.nonNull("noting", noting)));
  }

  /**
   * Returns a receiver with a name of its own for the place that its messages come from; see {@link
   * KafkaReceiver#origin}.
   *
   * @param name 1 to 249 letters, digits, dots, underscores and dashes; never to be changed
   * @throws ConfigurationException {@code OUT-021} if it has another form
   */
  public KafkaShareReceiver origin(String name) {
    TopicNames.configured("origin", name);
    return with(settings.withOrigin(name));
  }

  private KafkaShareReceiver with(ReceiverChoices other) {
    return new KafkaShareReceiver(consumer, topics, other, settings);
  }

  @Override
  protected KafkaShareReceiver with(ReceiverSettings other) {
    return new KafkaShareReceiver(consumer, topics, choices, other);
  }

  @Override
  protected OpenReceiver open(BatchHandler handler) {
    if (topics.isEmpty()) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "the Kafka share receiver has no topics; name them with topics()");
    }
    ShareParking parking =
        handler instanceof ParkingHandler inbox
            ? new ShareParking(inbox.store(), settings.options())
            : ShareParking.NONE;
    ShareMember member = new ShareMember(consumer, topics, choices, settings, parking);
    return QueueReceiver.start(settings.context(member.name()), handler, window -> member.open());
  }

  /** Names the group, the servers and the topics. */
  @Override
  public String toString() {
    return "KafkaShareReceiver[" + consumer + " " + topics + "]";
  }
}
