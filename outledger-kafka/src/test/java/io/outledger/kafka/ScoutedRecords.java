// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.testing.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** What a scout's consumers meet. A poll that returns nothing takes all its time. */
final class ScoutedRecords {

  /** Where partitions end, if not at 0. */
  final Map<TopicPartition, Long> ends = new HashMap<>();

  /** Partitions whose next record wants more memory than there is. */
  final Set<TopicPartition> tooLarge = new HashSet<>();

  /** Partitions whose next record comes and can be decoded. */
  final Set<TopicPartition> readable = new HashSet<>();

  /** Every poll's partition, in order. */
  final List<TopicPartition> polled = new ArrayList<>();

  /** What every poll does first. */
  Runnable onPoll = () -> {};

  /** Why no consumer can be made; null where one can. */
  @Nullable RuntimeException consumerFailure;

  private final SettableClock clock;

  ScoutedRecords(SettableClock clock) {
    this.clock = clock;
  }

  Consumer<byte[], byte[]> consumer() {
    RuntimeException failure = consumerFailure;
    if (failure != null) {
      throw failure;
    }
    return new Scouting();
  }

  private final class Scouting extends MockConsumer<byte[], byte[]> {

    Scouting() {
      super("none");
    }

    @Override
    public Map<TopicPartition, Long> endOffsets(
        Collection<TopicPartition> partitions, Duration timeout) {
      Map<TopicPartition, Long> found = new HashMap<>();
      partitions.forEach(partition -> found.put(partition, ends.getOrDefault(partition, 0L)));
      return found;
    }

    @Override
    public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
      TopicPartition partition = assignment().iterator().next();
      polled.add(partition);
      onPoll.run();
      if (tooLarge.contains(partition)) {
        throw new OutOfMemoryError("planted");
      }
      if (readable.contains(partition)) {
        ConsumerRecord<byte[], byte[]> next =
            Records.event(partition.topic(), partition.partition(), 0);
        return new ConsumerRecords<>(Map.of(partition, List.of(next)), Map.of());
      }
      clock.advance(timeout);
      return ConsumerRecords.empty();
    }
  }
}
