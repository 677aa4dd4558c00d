// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.log.QuietLog;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.receive.Arrival;
import io.outledger.receive.ReceiverSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.apache.kafka.common.KafkaException;
import org.slf4j.event.Level;

/** A member of a share group, which opens one consumer after another. For one thread. */
final class ShareMember {

  private static final Duration ANSWER_MAX = Duration.ofSeconds(5);
  private static final String TOPICS = "topics";

  private final ShareSettings consumer;
  private final List<String> topics;
  private final ReceiverChoices choices;
  private final ReceiverSettings settings;
  private final RecordReader reader;
  private final ShareParking parking;
  private final QuietLog log;

  ShareMember(
      ShareSettings consumer,
      List<String> topics,
      ReceiverChoices choices,
      ReceiverSettings settings,
      ShareParking parking) {
    this.consumer = consumer;
    this.topics = topics;
    this.choices = choices;
    this.settings = settings;
    this.reader = new RecordReader(choices, settings.origin());
    this.parking = parking;
    this.log = new QuietLog(KafkaShareReceiver.class, "receiver " + name(), settings.time());
  }

  /** Returns its name in the log. */
  String name() {
    return "share group " + consumer;
  }

  /**
   * Joins the group, once its settings are safe and the consumer's database answers.
   *
   * @throws ConfigurationException {@code OUT-021} if Kafka's settings or topics do not allow it
   * @throws DestinationUnavailableException if Kafka does not answer
   * @throws io.outledger.StoreException if the database does not
   */
  ShareDeliveries open() throws InterruptedException {
    ShareGroup group =
        new ShareGroup(
            opened(() -> Admin.create(consumer.forAsking(ANSWER_MAX))),
            new ShareGroupSettings(consumer.group(), consumer.servers()),
            ANSWER_MAX);
    boolean isOpen = false;
    try {
      int deliveriesMax = group.deliveriesMax();
      checkTopics(group);
      parking.check();
      ShareDeliveries deliveries = new ShareDeliveries(this, group, subscribed(), deliveriesMax);
      isOpen = true;
      return deliveries;
    } finally {
      if (!isOpen) {
        group.close();
      }
    }
  }

  private ShareConsumer<byte[], byte[]> subscribed() {
    BoundedBytes bytes = new BoundedBytes(choices.recordBytesMax());
    ShareConsumer<byte[], byte[]> opened =
        opened(() -> new KafkaShareConsumer<>(consumer.all(), bytes, bytes));
    boolean isSubscribed = false;
    try {
      opened.subscribe(topics);
      isSubscribed = true;
      return opened;
    } finally {
      if (!isSubscribed) {
        opened.close(Duration.ZERO);
      }
    }
  }

  private <T> T opened(Supplier<T> opening) {
    try {
      return opening.get();
    } catch (KafkaException e) {
      // The form of the addresses was checked before, so what is left is that no name was resolved.
      if (String.valueOf(e.getCause()).contains(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG)) {
        throw new DestinationUnavailableException("cannot resolve any address of " + consumer, e);
      }
      throw RefusedSettings.of("share consumer", consumer.all(), e);
    }
  }

  /**
   * Checks that Kafka answers and has the topics; the log names those that cannot be received.
   *
   * @throws ConfigurationException {@code OUT-021} if none of them can be received
   * @throws DestinationUnavailableException if Kafka does not answer
   */
  void checkTopics(ShareGroup group) throws InterruptedException {
    Map<String, String> troubled = group.troubled(topics);
    String text =
        troubled.entrySet().stream()
            .map(each -> "topic " + each.getKey() + " " + each.getValue())
            .collect(Collectors.joining("; "));
    if (troubled.keySet().containsAll(topics)) {
      throw new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, text);
    }
    if (troubled.isEmpty()) {
      log.over(TOPICS);
    } else {
      log.fails(Level.WARN, TOPICS, text, () -> "receives other topics, but " + text);
    }
  }

  /** Returns for how long the topics keep their records, of which a group may receive all again. */
  TopicRetention retention() {
    return new TopicRetention(() -> Admin.create(consumer.forAsking(ANSWER_MAX)), true, ANSWER_MAX);
  }

  List<String> topics() {
    return topics;
  }

  /** Has a record noted that cannot be received; see {@link ReceiverChoices#setAside}. */
  void setAside(Arrival<RecordPlace> unreadable) throws Exception {
    choices.setAside(unreadable, settings);
  }

  RecordReader reader() {
    return reader;
  }

  ShareParking parking() {
    return parking;
  }

  QuietLog log() {
    return log;
  }
}
