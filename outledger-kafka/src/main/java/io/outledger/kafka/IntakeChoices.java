// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import org.jspecify.annotations.Nullable;

/**
 * What an intake takes, and for what.
 *
 * @param foreign what to do with records that are not CloudEvents
 * @param unreadable who notes what cannot be received; null where that holds its partition
 * @param origin what to call the place the records come from; null for their topic
 * @param recordBytesMax the most bytes of a record's key and value
 */
record IntakeChoices(
    ForeignRecords foreign,
    @Nullable UnreadableRecords unreadable,
    @Nullable String origin,
    int recordBytesMax) {

  private static final int RECORD_BYTES_MAX = 16 * 1024 * 1024;

  static final IntakeChoices DEFAULT =
      new IntakeChoices(ForeignRecords.STOP, null, null, RECORD_BYTES_MAX);

  IntakeChoices withForeign(ForeignRecords choice) {
    return new IntakeChoices(choice, unreadable, origin, recordBytesMax);
  }

  IntakeChoices withUnreadable(UnreadableRecords noting) {
    return new IntakeChoices(foreign, noting, origin, recordBytesMax);
  }

  IntakeChoices withOrigin(String name) {
    return new IntakeChoices(foreign, unreadable, name, recordBytesMax);
  }

  IntakeChoices withRecordBytesMax(int bytes) {
    return new IntakeChoices(foreign, unreadable, origin, bytes);
  }
}
