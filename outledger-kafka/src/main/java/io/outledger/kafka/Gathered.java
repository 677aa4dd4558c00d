// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.receive.Arrival;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/** Records that were read and not yet processed, up to a bound of number and size. */
final class Gathered {

  private static final int BYTES_MAX = 16 * 1024 * 1024;

  private final int recordsMax;
  private final Map<TopicPartition, List<Arrival<RecordPlace>>> records = new LinkedHashMap<>();
  private int count;
  private long bytes;

  Gathered(int recordsMax) {
    this.recordsMax = recordsMax;
  }

  void add(Arrival<RecordPlace> arrival) {
    records
        .computeIfAbsent(arrival.place().partition(), partition -> new ArrayList<>())
        .add(arrival);
    count++;
    bytes += arrival.bytes();
  }

  boolean isEmpty() {
    return records.isEmpty();
  }

  boolean isFull() {
    return count >= recordsMax || bytes >= BYTES_MAX;
  }

  Set<TopicPartition> partitions() {
    return Set.copyOf(records.keySet());
  }

  /** Takes a partition's records, in their order. */
  List<Arrival<RecordPlace>> take(TopicPartition partition) {
    List<Arrival<RecordPlace>> taken = records.remove(partition);
    forgetSizes();
    return taken == null ? List.of() : taken;
  }

  /** Drops the records of partitions that are no longer ours; nothing of them took effect. */
  void drop(Collection<TopicPartition> partitions) {
    records.keySet().removeAll(partitions);
    forgetSizes();
  }

  private void forgetSizes() {
    if (records.isEmpty()) {
      count = 0;
      bytes = 0;
    }
  }
}
