// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.InvalidMessageException;
import io.outledger.receive.Arrival;
import io.outledger.receive.ReceiverSettings;
import java.time.Instant;
import java.util.Objects;
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

  private static final byte[] NOTHING = new byte[0];
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

  /**
   * Has a record noted that cannot be received, so that it may be passed over.
   *
   * @param settings those of all brokers: they say who notes it where these do not
   * @throws Exception its problem if that is not the choice, or what noting it throws
   */
  void setAside(Arrival<RecordPlace> arrival, ReceiverSettings settings) throws Exception {
    if (unreadable == null) {
      settings.setAside(arrival, NOTHING); // it stays in its topic, and may be larger than memory
      return;
    }
    InvalidMessageException problem =
        Objects.requireNonNull(arrival.problem(), "only unreadable records are set aside");
    RecordPlace place = arrival.place();
    String reason = String.valueOf(problem.getMessage());
    unreadable.setAside(
        new UnreadableRecord(
            place.partition().topic(),
            place.partition().partition(),
            place.offset(),
            Instant.ofEpochMilli(place.timestamp()),
            reason));
  }
}
