// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.Printable;
import io.outledger.log.QuietLog;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Looks whether partitions' next records can be decoded here, with a consumer of its own that
 * belongs to no group. What a broker holds in a few kilobytes may want more memory than there is,
 * or a codec that is missing; a consumer that has met such a record is of no use any more.
 */
final class RecordScout {

  private static final Logger LOG = LoggerFactory.getLogger(RecordScout.class);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final int POLLS_MAX = 25;
  private static final Duration ASK = Duration.ofSeconds(1);
  private static final Duration CLOSE = Duration.ofSeconds(1);

  private final Supplier<Consumer<byte[], byte[]>> consumers;
  private final QuietLog log;

  RecordScout(Supplier<Consumer<byte[], byte[]>> consumers, QuietLog log) {
    this.consumers = consumers;
    this.log = log;
  }

  /**
   * What is known of partitions' next records; partitions in neither are unknown.
   *
   * @param good those whose next record can be decoded here, was removed, or is still to come
   * @param bad why the next record of others cannot be decoded
   */
  record Findings(Set<TopicPartition> good, Map<TopicPartition, Throwable> bad) {}

  /**
   * Looks at the next records of partitions, as far as they have any. Where that fails as a whole,
   * returns what was found before.
   *
   * @param positions where each partition's next record lies
   * @param enough says when to look no further; asked before each wait
   */
  Findings look(Map<TopicPartition, Long> positions, BooleanSupplier enough) {
    Findings found = new Findings(new HashSet<>(), new HashMap<>());
    Queue<Map.Entry<TopicPartition, Long>> left = new ArrayDeque<>(positions.entrySet());
    try {
      while (!left.isEmpty() && !enough.getAsBoolean()) {
        lookWithOne(left, found, enough);
      }
    } catch (InterruptException e) {
      throw e;
    } catch (Throwable e) { // such as of a consumer that cannot be made now
      String text = Printable.text(e);
      log.fails(
          Level.WARN, "scout", text, () -> "could not check which records it can decode: " + text);
    }
    return found;
  }

  /** Looks on with one consumer, until it meets a record that cannot be decoded. */
  private void lookWithOne(
      Queue<Map.Entry<TopicPartition, Long>> left, Findings found, BooleanSupplier enough) {
    Consumer<byte[], byte[]> consumer = consumers.get();
    try {
      Map<TopicPartition, Long> ends =
          ends(consumer, left.stream().map(Map.Entry::getKey).toList());
      left.stream()
          .filter(next -> isAtItsEnd(next, ends))
          .forEach(next -> found.good().add(next.getKey()));
      left.removeIf(next -> found.good().contains(next.getKey()));
      boolean usable = true;
      while (usable && !left.isEmpty() && !enough.getAsBoolean()) {
        usable = lookAt(left.remove(), consumer, found, enough);
      }
    } finally {
      ConsumerEnd.close(consumer, CLOSE);
    }
  }

  /** Asks in one question, since to look at a partition without a next record takes long. */
  private static Map<TopicPartition, Long> ends(
      Consumer<byte[], byte[]> consumer, Collection<TopicPartition> partitions) {
    try {
      return consumer.endOffsets(partitions, ASK);
    } catch (RetriableException | AuthorizationException e) {
      LOG.debug("end offsets of {} are currently unknown", partitions);
      return Map.of(); // one of them may be the reason, so each is looked at by itself
    }
  }

  private static boolean isAtItsEnd(
      Map.Entry<TopicPartition, Long> next, Map<TopicPartition, Long> ends) {
    return ends.getOrDefault(next.getKey(), Long.MAX_VALUE) <= next.getValue();
  }

  /** Looks at one partition, and returns whether its consumer can be used again. */
  private static boolean lookAt(
      Map.Entry<TopicPartition, Long> next,
      Consumer<byte[], byte[]> consumer,
      Findings found,
      BooleanSupplier enough) {
    TopicPartition partition = next.getKey();
    long offset = next.getValue();
    try {
      consumer.assign(List.of(partition));
      consumer.seek(partition, offset);
      boolean passed = false;
      for (int polls = 0; !passed && polls < POLLS_MAX && !enough.getAsBoolean(); polls++) {
        passed = !consumer.poll(POLL).isEmpty() || consumer.position(partition, POLL) > offset;
      }
      if (passed) {
        found.good().add(partition);
      }
      return true;
    } catch (InvalidOffsetException e) { // the broker has removed the record
      found.good().add(partition);
      return true;
    } catch (InterruptException e) {
      throw e;
    } catch (Throwable e) {
      boolean bad = DecodingFailure.isPossible(e);
      if (bad) {
        found.bad().put(partition, e);
      }
      return !bad;
    }
  }
}
