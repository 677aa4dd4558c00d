// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.inbox.Receiver;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.relay.Backoff;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;

/**
 * Receives the records of Kafka topics as a member of a consumer group and hands them to a {@link
 * Receiver}, partition by partition in their order. An offset is committed only after the receiver
 * has made everything before it take effect; so after a crash records come again, and a receiver
 * with an inbox does nothing twice.
 *
 * <p>A record that fails holds its partition, not the others: it is received again after a back-off
 * until it succeeds. No record is skipped.
 *
 * <p>Immutable and thread-safe; each start is a member of the group of its own.
 */
public final class KafkaIntake {

  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(200), Duration.ofSeconds(30));

  private final ConsumerSettings settings;
  private final List<String> topics;
  private final ForeignRecords foreign;
  private final Backoff backoff;

  private KafkaIntake(
      ConsumerSettings settings, List<String> topics, ForeignRecords foreign, Backoff backoff) {
    this.settings = settings;
    this.topics = topics;
    this.foreign = foreign;
    this.backoff = backoff;
  }

  /**
   * Makes an intake from Kafka's consumer settings; {@code bootstrap.servers} and {@code group.id}
   * must be among them. Nothing is opened. {@code auto.offset.reset} says where a group starts that
   * has no offsets, {@code earliest} (the default here) or {@code latest}. Settings that contradict
   * receiving safely are refused. They come from code or files that you trust: Kafka loads classes
   * that they name.
   *
   * @param settings the consumer's settings by their Kafka names
   * @throws ConfigurationException {@code OUT-021} listing every problem
   */
  public static KafkaIntake with(Map<String, ?> settings) {
    return new KafkaIntake(ConsumerSettings.of(settings), List.of(), ForeignRecords.STOP, BACKOFF);
  }

  /** Returns an intake of these topics of Kafka, in place of those named before. */
  public KafkaIntake topics(String... names) {
    return new KafkaIntake(settings, List.of(names), foreign, backoff);
  }

  /** Returns an intake that treats records that are not CloudEvents as given; default: stop. */
  public KafkaIntake foreign(ForeignRecords choice) {
    return new KafkaIntake(settings, topics, choice, backoff);
  }

  /**
   * Returns an intake that waits otherwise before it receives again what failed. The default is a
   * random time up to 0.2 s at first, doubling up to 30 s.
   *
   * @param pause its highest bound must stay below {@code max.poll.interval.ms}
   */
  public KafkaIntake backoff(Backoff pause) {
    return new KafkaIntake(settings, topics, foreign, pause);
  }

  /**
   * Joins the group and receives on a thread of its own, until closed. A broker that is down later
   * is waited for.
   *
   * @param receiver what makes the records take effect; called by one thread
   * @throws ConfigurationException {@code OUT-021} where no topic was named, or Kafka refuses the
   *     settings as a whole
   * @throws DestinationUnavailableException where no address of the servers can be resolved
   */
  public RunningIntake start(Receiver receiver) {
    if (topics.isEmpty()) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION, "the Kafka intake has no topics: name them by topics()");
    }
    IntakeRules rules =
        new IntakeRules(
            new CloudEventReader(foreign),
            backoff,
            TimeSource.system(),
            new SplittableRandom(),
            settings.fromEnd());
    IntakeLoop loop = new IntakeLoop(consumer(), receiver, rules);
    loop.subscribe(topics);
    return RunningIntake.start(settings.toString(), loop);
  }

  private Consumer<byte[], byte[]> consumer() {
    try {
      return new KafkaConsumer<>(settings.all());
    } catch (KafkaException e) {
      // The form of the addresses was checked before, so what is left is that no name was resolved.
      if (String.valueOf(e.getCause()).contains(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG)) {
        throw new DestinationUnavailableException("no address known for " + settings, e);
      }
      throw RefusedSettings.of("consumer", settings.all(), e);
    }
  }

  /** Names the group, the servers and the topics. */
  @Override
  public String toString() {
    return "KafkaIntake[" + settings + " " + topics + "]";
  }
}
