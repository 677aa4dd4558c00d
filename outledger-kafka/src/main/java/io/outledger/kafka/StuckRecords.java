// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.Printable;
import java.util.HashMap;
import java.util.Map;
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

  /** Looks at a partition's next record, and remembers it where it cannot be decoded. */
  void check(TopicPartition partition, long offset) {
    Throwable failure = scout.look(partition, offset);
    if (failure == null) {
      offsets.remove(partition);
    } else {
      offsets.put(partition, offset);
      LOG.error(
          "Record {}@{} cannot be decoded here: {}; its partition waits, and the others go on",
          partition,
          offset,
          Printable.text(failure));
    }
  }

  /** Looks again, and returns whether the partition still has to wait. */
  boolean isStillStuck(TopicPartition partition) {
    Long offset = offsets.get(partition);
    if (offset != null) {
      check(partition, offset);
    }
    return isStuck(partition);
  }
}
