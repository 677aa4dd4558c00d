// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

  RecordScout(Supplier<Consumer<byte[], byte[]>> consumers) {
    this.consumers = consumers;
  }

  /**
   * Looks at the next records of partitions, as far as they have any.
   *
   * @param positions where each partition's next record lies
   * @param enough says when to look no further; asked before each wait
   * @return why records cannot be decoded, by their partitions, without those that can or of which
   *     nobody knows
   */
  Map<TopicPartition, Throwable> look(Map<TopicPartition, Long> positions, BooleanSupplier enough) {
    Map<TopicPartition, Throwable> failures = new HashMap<>();
    Queue<Map.Entry<TopicPartition, Long>> left = new ArrayDeque<>(positions.entrySet());
    while (!left.isEmpty() && !enough.getAsBoolean()) {
      Consumer<byte[], byte[]> consumer = consumers.get();
      try {
        Map<TopicPartition, Long> ends = ends(consumer, positions.keySet());
        left.removeIf(next -> ends.getOrDefault(next.getKey(), Long.MAX_VALUE) <= next.getValue());
        Throwable failure = null;
        while (failure == null && !left.isEmpty() && !enough.getAsBoolean()) {
          Map.Entry<TopicPartition, Long> next = left.remove();
          failure = failure(consumer, next.getKey(), next.getValue(), enough);
          if (failure != null) {
            failures.put(next.getKey(), failure);
          }
        }
      } finally {
        consumer.close(CloseOptions.timeout(CLOSE));
      }
    }
    return failures;
  }

  /** Asks in one question, since to look at a partition without a next record takes long. */
  private static Map<TopicPartition, Long> ends(
      Consumer<byte[], byte[]> consumer, Collection<TopicPartition> partitions) {
    try {
      return consumer.endOffsets(partitions, ASK);
    } catch (RetriableException | AuthorizationException e) {
      LOG.debug("where {} end is not known now", partitions);
      return Map.of(); // one of them may be the reason, so each is looked at by itself
    }
  }

  private static @Nullable Throwable failure(
      Consumer<byte[], byte[]> consumer,
      TopicPartition partition,
      long offset,
      BooleanSupplier enough) {
    try {
      consumer.assign(List.of(partition));
      consumer.seek(partition, offset);
      for (int polls = 0; polls < POLLS_MAX && !enough.getAsBoolean(); polls++) {
        if (!consumer.poll(POLL).isEmpty() || consumer.position(partition, POLL) > offset) {
          return null;
        }
      }
      return null;
    } catch (InterruptException e) {
      throw e;
    } catch (Throwable e) {
      return DecodingFailure.isPossible(e) ? e : null;
    }
  }
}
