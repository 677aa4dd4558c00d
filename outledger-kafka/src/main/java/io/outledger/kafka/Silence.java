// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.Printable;
import io.outledger.receive.Receiver;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.Collection;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out why nothing comes. Kafka's consumer says the same of a topic without news, of one that
 * does not exist, and of brokers that do not answer: nothing. So somebody asks after a while. For
 * one thread.
 */
final class Silence {

  private static final Logger LOG = LoggerFactory.getLogger(Silence.class);
  private static final Duration LONGEST = Duration.ofSeconds(5);
  private static final Duration ASK = Duration.ofSeconds(2);

  private final Consumer<byte[], byte[]> consumer;
  private final String servers;
  private final TimeSource time;
  private final Receiver<?> receiver;
  private long heardAt;
  private @Nullable String trouble;

  /**
   * Makes one, which begins now.
   *
   * @param servers where Kafka is, for people
   */
  Silence(
      Consumer<byte[], byte[]> consumer, String servers, TimeSource time, Receiver<?> receiver) {
    this.consumer = consumer;
    this.servers = servers;
    this.time = time;
    this.receiver = receiver;
    this.heardAt = time.nanoTime();
  }

  /**
   * Notes that records have come. They say nothing of a topic that is missing, for which is asked
   * again.
   */
  void end(Collection<String> topics) {
    if (trouble == null) {
      heardAt = time.nanoTime();
      receiver.receives();
    } else {
      check(topics);
    }
  }

  /** Notes that some topics cannot be read, which are asked for until they can. */
  void lacks(String what) {
    trouble = what;
    receiver.cannotReceive(what, LONGEST);
  }

  /** Asks for the topics, if nothing has come for some seconds, and tells what is wrong. */
  void check(Collection<String> topics) {
    if (time.nanoTime() - heardAt < LONGEST.toNanos()) {
      return;
    }
    try {
      String missing = missing(topics);
      trouble = missing;
      if (missing == null) {
        receiver.receives();
      } else {
        receiver.cannotReceive(missing, LONGEST);
      }
    } catch (TimeoutException e) {
      receiver.cannotReceive(KafkaOutcomes.noAnswer(servers), LONGEST);
    }
    heardAt = time.nanoTime();
  }

  /**
   * Returns what is wrong with a topic; null where nothing is. What a client knows of a topic may
   * come from its cache, so the ends of partitions are asked for: those it does not keep.
   *
   * @throws TimeoutException if Kafka does not answer
   */
  private @Nullable String missing(Collection<String> topics) {
    for (String topic : topics) {
      try {
        if (consumer.partitionsFor(topic, ASK).isEmpty()) {
          return "topic "
              + topic
              + " does not exist; create it: receiving creates none"
              + (hasOthersThan(topic) ? "; other topics are received" : "");
        }
      } catch (TimeoutException e) {
        throw e;
      } catch (TopicAuthorizationException e) {
        return TopicSubscription.denied(e);
      } catch (RetriableException e) {
        LOG.debug("cannot ask for topic {}: {}", topic, Printable.text(e)); // polling meets it, too
      }
    }
    try {
      if (!consumer.assignment().isEmpty()) {
        consumer.endOffsets(consumer.assignment(), ASK);
      }
    } catch (TimeoutException e) {
      throw e;
    } catch (AuthorizationException | RetriableException e) {
      LOG.debug("cannot ask for the ends of partitions: {}", Printable.text(e));
    }
    return null;
  }

  private boolean hasOthersThan(String topic) {
    return consumer.assignment().stream().anyMatch(each -> !each.topic().equals(topic));
  }
}
