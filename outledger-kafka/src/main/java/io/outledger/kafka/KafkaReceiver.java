// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Received;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.receive.BrokerReceiver;
import io.outledger.receive.OpenReceiver;
import io.outledger.receive.Receiver;
import io.outledger.receive.ReceiverSettings;
import io.outledger.relay.options.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;

/**
 * Receives the records of Kafka topics as a member of a consumer group and hands them to a {@link
 * BatchHandler}, partition by partition in their order. An offset is committed only after the
 * handler has made everything before it take effect; so after a crash records come again, and a
 * handler with an inbox does nothing twice.
 *
 * <p>A record that fails is parked where the handler is an inbox's: it holds its key, and is
 * retried. With other handlers, and where it cannot be parked, it holds its partition, not the
 * others: it is received again after a back-off until it succeeds. No record is skipped.
 *
 * <p>Immutable and thread-safe; each start is a member of the group of its own.
 */
public final class KafkaReceiver extends BrokerReceiver<KafkaReceiver> {

  private static final Duration ANSWER_TIME_MAX = Duration.ofSeconds(2);

  private final ConsumerSettings consumer;
  private final List<String> topics;
  private final ReceiverChoices choices;

  private KafkaReceiver(
      ConsumerSettings consumer,
      List<String> topics,
      ReceiverChoices choices,
      ReceiverSettings settings) {
    super(settings);
    this.consumer = consumer;
    this.topics = topics;
    this.choices = choices;
  }

  /**
   * Makes a receiver from Kafka's consumer settings; {@code bootstrap.servers} and {@code group.id}
   * must be among them. Nothing is opened. {@code auto.offset.reset} says where a group starts that
   * has no offsets, {@code earliest} (the default here) or {@code latest}. Settings that contradict
   * receiving safely are refused. They come from code or files that you trust: Kafka loads classes
   * that they name.
   *
   * @param settings the consumer's settings by their Kafka names
   * @throws ConfigurationException {@code OUT-021} listing every problem
   */
  public static KafkaReceiver with(Map<String, ?> settings) {
    return new KafkaReceiver(
        ConsumerSettings.of(Require.nonNull("settings", settings)),
        List.of(),
        ReceiverChoices.DEFAULT,
        ReceiverSettings.DEFAULT);
  }

  /**
   * Reads a record that another consumer has received, as a receiver without an origin does: so an
   * inbox remembers it by the same identity, its topic, source and id.
   *
   * @param record with CloudEvents headers. Where its value is not of bytes, the message's payload
   *     is empty
   * @throws io.outledger.InvalidMessageException {@code OUT-014} if it has no identity
   */
  public static Received read(ConsumerRecord<?, ?> record) {
    return new RecordReader(ReceiverChoices.DEFAULT, null).read(Require.nonNull("record", record));
  }

  /**
   * Returns the names of the settings that a receiver decides itself: {@link #with} refuses other
   * values. Whoever has a map for several consumers leaves them out of it.
   */
  public static Set<String> decidedSettings() {
    return ConsumerSettings.DECIDED;
  }

  /**
   * Returns a receiver of these topics of Kafka, in place of those named before.
   *
   * @throws ConfigurationException {@code OUT-021} if a name cannot be a topic's
   */
  public KafkaReceiver topics(String... names) {
    for (String name : Require.nonNull("names", names)) {
      TopicNames.configured("topic", name);
    }
    return new KafkaReceiver(consumer, List.of(names), choices, settings);
  }

  /** Returns a receiver that treats records that are not CloudEvents as given; default: stop. */
  public KafkaReceiver foreign(ForeignRecords choice) {
    return with(choices.withForeign(Require.nonNull("choice", choice)));
  }

  /**
   * Returns a receiver that has records noted which cannot be received, and passes them over: they
   * are too large or have too many headers, or an identity that cannot be read, and are not
   * received under another one. By default, and where noting fails, such a record holds its
   * partition; nothing is passed over.
   */
  public KafkaReceiver unreadable(UnreadableRecords noting) {
    return with(choices.withUnreadable(Require.nonNull("noting", noting)));
  }

  /**
   * Returns a receiver that receives no record whose key and value have together more bytes than
   * this. The default is 16 MiB. The heap must hold it three times, whatever a broker's limits are:
   * those count compressed bytes.
   *
   * @throws ConfigurationException {@code OUT-021} if it is below 1
   */
  public KafkaReceiver recordBytesMax(int bytes) {
    if (bytes < 1) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION, "recordBytesMax must be 1 or more but is " + bytes);
    }
    return with(choices.withRecordBytesMax(bytes));
  }

  /**
   * Returns a receiver with a name of its own for the place that its messages come from. An inbox
   * takes place, source and id together for a message's identity, so that nobody who may write to
   * one topic can impersonate a sender of another. By default the place is the topic. Name it where
   * a topic is renamed or mirrored, and what was received by the old way must not take effect
   * again; whoever may write to any topic of one name is then trusted alike.
   *
   * @param name 1 to 249 letters, digits, dots, underscores and dashes; never to be changed
   * @throws ConfigurationException {@code OUT-021} if it has another form
   */
  public KafkaReceiver origin(String name) {
    TopicNames.configured("origin", name);
    return with(settings.withOrigin(name));
  }

  private KafkaReceiver with(ReceiverChoices other) {
    return new KafkaReceiver(consumer, topics, other, settings);
  }

  @Override
  protected KafkaReceiver with(ReceiverSettings other) {
    return new KafkaReceiver(consumer, topics, choices, other);
  }

  /**
   * Returns a receiver that waits otherwise before it receives again what failed. The default is a
   * random time up to 0.2 s at first, doubling up to 30 s.
   *
   * @param pause its highest bound must stay below {@code max.poll.interval.ms}
   */
  public KafkaReceiver backoff(Backoff pause) {
    return options(settings.options().withBackoff(Require.nonNull("pause", pause)));
  }

  @Override
  protected OpenReceiver open(BatchHandler handler) {
    if (topics.isEmpty()) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "the Kafka receiver has no topics; name them with topics()");
    }
    SplittableRandom random = new SplittableRandom();
    ReceiverRules rules =
        new ReceiverRules(
            new RecordReader(choices, settings.origin()),
            new ReceiverStart(consumer.servers(), topics, consumer.fromEnd(), consumer.batchMax()),
            new TopicRetention(
                    () -> Admin.create(consumer.forAsking(ANSWER_TIME_MAX)),
                    consumer.fromEnd(),
                    ANSWER_TIME_MAX)
                ::of,
            unreadable -> choices.setAside(unreadable, settings),
            settings.options().backoff(),
            settings.time(),
            random);
    Receiver<RecordPlace> receiver =
        new Receiver<>(handler, settings.context("group " + consumer.group()));
    StuckRecords stuck =
        new StuckRecords(
            new RecordScout(() -> consumer(consumer.outsideTheGroup()), receiver.log()),
            receiver.log());
    return ReceiverLoops.start(
        consumer.toString(),
        receiver,
        () -> {
          ReceiverLoop loop = new ReceiverLoop(consumer(consumer.all()), receiver, rules, stuck);
          loop.subscribe();
          return loop;
        });
  }

  private Consumer<byte[], byte[]> consumer(Map<String, Object> all) {
    BoundedBytes bytes = new BoundedBytes(choices.recordBytesMax());
    try {
      return new KafkaConsumer<>(all, bytes, bytes);
    } catch (KafkaException e) {
      // The form of the addresses was checked before, so what is left is that no name was resolved.
      if (String.valueOf(e.getCause()).contains(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG)) {
        throw new DestinationUnavailableException("cannot resolve any address of " + consumer, e);
      }
      throw RefusedSettings.of("consumer", all, e);
    }
  }

  /** Names the group, the servers and the topics. */
  @Override
  public String toString() {
    return "KafkaReceiver[" + consumer + " " + topics + "]";
  }
}
