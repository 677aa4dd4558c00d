// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Where a record lies.
 *
 * @param partition the topic's partition
 * @param offset the place in it
 * @param epoch of the leader that wrote it
 * @param timestamp the record's own, in milliseconds
 */
record RecordPlace(TopicPartition partition, long offset, Optional<Integer> epoch, long timestamp) {

  static RecordPlace of(ConsumerRecord<byte[], byte[]> record) {
    return new RecordPlace(
        new TopicPartition(record.topic(), record.partition()),
        record.offset(),
        record.leaderEpoch(),
        record.timestamp());
  }

  /** Returns the offset that a group commits once it is done with the record. */
  OffsetAndMetadata next() {
    return new OffsetAndMetadata(offset + 1, epoch, "");
  }

  /** Names it as {@code topic-partition@offset}. */
  @Override
  public String toString() {
    return partition + "@" + offset;
  }
}
