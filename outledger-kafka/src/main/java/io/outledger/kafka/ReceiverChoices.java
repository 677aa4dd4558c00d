// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import org.jspecify.annotations.Nullable;

/**
 * What a receiver takes, and for what.
 *
 * @param foreign what to do with records that are not CloudEvents
 * @param unreadable who notes what cannot be received; null where that holds its partition
 * @param recordBytesMax the most bytes of a record's key and value
 */
record ReceiverChoices(
    ForeignRecords foreign, @Nullable UnreadableRecords unreadable, int recordBytesMax) {

  private static final int RECORD_BYTES_MAX = 16 * 1024 * 1024;

  static final ReceiverChoices DEFAULT =
      new ReceiverChoices(ForeignRecords.STOP, null, RECORD_BYTES_MAX);

  ReceiverChoices withForeign(ForeignRecords choice) {
    return new ReceiverChoices(choice, unreadable, recordBytesMax);
  }

  ReceiverChoices withUnreadable(UnreadableRecords noting) {
    return new ReceiverChoices(foreign, noting, recordBytesMax);
  }

  ReceiverChoices withRecordBytesMax(int bytes) {
    return new ReceiverChoices(foreign, unreadable, bytes);
  }
}
