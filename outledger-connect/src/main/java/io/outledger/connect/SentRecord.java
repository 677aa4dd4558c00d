// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/**
 * A record that is handed to Kafka Connect, and is equal to itself alone. Connect keeps records in
 * maps and sets, for which it would hash each header's schema and value, and would not find one
 * again to which a transformation has added a header.
 */
final class SentRecord extends SourceRecord {

  /**
   * Makes it.
   *
   * @param moved the source offset that it moves
   * @param key null for none
   * @param value null for a tombstone
   */
  SentRecord(
      SlotOffsets.Moved moved,
      String topic,
      byte @Nullable [] key,
      byte @Nullable [] value,
      ConnectHeaders headers) {
    super(
        moved.partition(),
        moved.offset(),
        topic,
        null,
        Schema.OPTIONAL_BYTES_SCHEMA,
        key,
        Schema.OPTIONAL_BYTES_SCHEMA,
        value,
        null,
        headers);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
