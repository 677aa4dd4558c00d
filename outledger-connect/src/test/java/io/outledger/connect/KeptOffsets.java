// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import io.outledger.relay.PullJournal;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/** The source offsets that Connect has of a connector, which a test writes. */
final class KeptOffsets implements OffsetStorageReader {

  private final Map<Object, Map<String, Object>> kept = new HashMap<>();

  void keep(Map<String, ?> partition, PullJournal.Entry entry) {
    kept.put(partition, SlotOffsets.offset(entry));
  }

  /** Keeps the offset that a record carries. */
  void keep(SourceRecord record) {
    Map<String, Object> offset = new HashMap<>();
    record.sourceOffset().forEach((name, value) -> offset.put(name, value));
    kept.put(record.sourcePartition(), offset);
  }

  @Override
  public <T> Map<String, Object> offset(Map<String, T> partition) {
    return kept.getOrDefault(partition, Map.of());
  }

  @Override
  public <T> Map<Map<String, T>, Map<String, Object>> offsets(
      Collection<Map<String, T>> partitions) {
    Map<Map<String, T>, Map<String, Object>> offsets = new HashMap<>();
    partitions.forEach(each -> offsets.put(each, Objects.requireNonNull(offset(each))));
    return offsets;
  }
}
