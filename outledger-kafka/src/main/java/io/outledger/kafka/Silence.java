// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.Printable;
import io.outledger.log.QuietLog;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.Collection;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Finds out why nothing comes. Kafka's consumer says the same of a topic without news, of one that
 * does not exist, and of brokers that do not answer: nothing. So somebody asks after a while. For
 * one thread.
 */
final class Silence {

  private static final Logger LOG = LoggerFactory.getLogger(Silence.class);
  private static final Duration LONGEST = Duration.ofSeconds(5);
  private static final Duration ASK = Duration.ofSeconds(2);
  private static final String KIND = "silence";

  private final Consumer<byte[], byte[]> consumer;
  private final String servers;
  private final TimeSource time;
  private final QuietLog log;
  private long heardAt;

  /**
   * Makes one, which begins now.
   *
   * @param servers where Kafka is, for people
   */
  Silence(Consumer<byte[], byte[]> consumer, String servers, TimeSource time, QuietLog log) {
    this.consumer = consumer;
    this.servers = servers;
    this.time = time;
    this.log = log;
    this.heardAt = time.nanoTime();
  }

  /** Notes that records have come. */
  void end() {
    heardAt = time.nanoTime();
    log.over(KIND);
  }

  /**
   * Asks for the topics, if nothing has come for some seconds, and has the log say what is wrong.
   */
  void check(Collection<String> topics) {
    if (time.nanoTime() - heardAt < LONGEST.toNanos()) {
      return;
    }
    String problem = problem(topics);
    heardAt = time.nanoTime();
    if (problem == null) {
      log.over(KIND);
    } else {
      log.fails(Level.WARN, KIND, problem, () -> problem);
    }
  }

  private @Nullable String problem(Collection<String> topics) {
    for (String topic : topics) {
      try {
        if (consumer.partitionsFor(topic, ASK).isEmpty()) {
          return "topic " + topic + " does not exist; create it: receiving creates none";
        }
      } catch (TimeoutException e) {
        return "no answer from Kafka at "
            + servers
            + "; check bootstrap.servers, and whether the brokers can be reached from here";
      } catch (TopicAuthorizationException | RetriableException e) {
        LOG.debug("cannot ask for topic {}: {}", topic, Printable.text(e)); // polling meets it, too
      }
    }
    return null;
  }
}
