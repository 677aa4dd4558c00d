// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.Printable;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where records lie that cannot be decoded here. Outlives the consumer that has met them. For one
 * thread.
 */
final class StuckRecords {

  private static final Logger LOG = LoggerFactory.getLogger(StuckRecords.class);

  private final RecordScout scout;
  private final Map<TopicPartition, Long> offsets = new HashMap<>();

  StuckRecords(RecordScout scout) {
    this.scout = scout;
  }

  boolean isStuck(TopicPartition partition) {
    return offsets.containsKey(partition);
  }

  /**
   * Looks at partitions' next records, and remembers those that cannot be decoded.
   *
   * @param positions where each partition's next record lies
   * @param enough says when to look no further
   */
  void find(Map<TopicPartition, Long> positions, BooleanSupplier enough) {
    Map<TopicPartition, Throwable> failures = scout.look(positions, enough);
    offsets.keySet().removeAll(positions.keySet());
    positions.forEach(
        (partition, offset) -> {
          Throwable failure = failures.get(partition);
          if (failure != null) {
            offsets.put(partition, offset);
            LOG.error(
                "Record {}@{} cannot be decoded here: {}; its partition waits, and the others go"
                    + " on",
                partition,
                offset,
                Printable.text(failure));
          }
        });
  }

  /**
   * Looks again at a record that could not be decoded, or forgets it where the partition's next one
   * is another by now: a member of the group with more memory may have passed it.
   *
   * @return whether the partition still has to wait
   */
  boolean lookAgain(TopicPartition partition, long position, BooleanSupplier enough) {
    Long offset = offsets.get(partition);
    if (offset != null && offset == position) {
      find(Map.of(partition, position), enough);
    } else {
      offsets.remove(partition);
    }
    return isStuck(partition);
  }
}
