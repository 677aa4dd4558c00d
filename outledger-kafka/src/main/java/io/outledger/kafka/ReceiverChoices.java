// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import org.jspecify.annotations.Nullable;

/**
 * What a receiver takes, and for what.
 *
 * @param foreign what to do with records that are not CloudEvents
 * @param unreadable who notes what cannot be received; null where that holds its partition
 * @param origin what to call the place the records come from; null for their topic
 * @param recordBytesMax the most bytes of a record's key and value
 */
record ReceiverChoices(
    ForeignRecords foreign,
    @Nullable UnreadableRecords unreadable,
    @Nullable String origin,
    int recordBytesMax) {

  private static final int RECORD_BYTES_MAX = 16 * 1024 * 1024;

  static final ReceiverChoices DEFAULT =
      new ReceiverChoices(ForeignRecords.STOP, null, null, RECORD_BYTES_MAX);

  ReceiverChoices withForeign(ForeignRecords choice) {
    return new ReceiverChoices(choice, unreadable, origin, recordBytesMax);
  }

  ReceiverChoices withUnreadable(UnreadableRecords noting) {
    return new ReceiverChoices(foreign, noting, origin, recordBytesMax);
  }

  ReceiverChoices withOrigin(String name) {
    return new ReceiverChoices(foreign, unreadable, name, recordBytesMax);
  }

  ReceiverChoices withRecordBytesMax(int bytes) {
    return new ReceiverChoices(foreign, unreadable, origin, bytes);
  }
}
