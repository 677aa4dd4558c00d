// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Printable;
import io.outledger.Require;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Received;
import io.outledger.store.ParkedFailure;
import io.outledger.store.ParkedState;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Parks what cannot be received as dead letters. Thread-safe. */
final class ParkedUnreadable implements UnreadableMessages {

  /** The type of what is parked here. */
  static final String TYPE = "outledger.unreadable";

  private static final String SOURCE = "/outledger/unreadable";
  private static final int PLACE_CHARS_MAX = 200;

  private final ReceiverStore store;
  private final int parkedMax;
  private final RandomGenerator random;

  private ParkedUnreadable(ReceiverStore store, int parkedMax, RandomGenerator random) {
    this.store = store;
    this.parkedMax = parkedMax;
    this.random = random;
  }

  static ParkedUnreadable of(BatchHandler handler, int parkedMax) {
    if (!(Require.nonNull("handler", handler) instanceof ParkingHandler parking)) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "the handler is not an inbox's, and has no database in which deliveries can be parked");
    }
    if (parkedMax < 1) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION, "parkedMax is " + parkedMax + " but must be 1 or more");
    }
    return new ParkedUnreadable(parking.store(), parkedMax, new SecureRandom());
  }

  // With an id of its own: the places of some brokers begin again with each connection, and two
  // deliveries must never pass for one.
  @Override
  public void setAside(String place, byte[] payload, String reason) {
    String topic = Printable.value(place);
    topic = topic.substring(0, Math.min(topic.length(), PLACE_CHARS_MAX));
    Received message =
        new Received(
            SOURCE,
            new UUID(random.nextLong(), random.nextLong()).toString(),
            topic,
            null,
            TYPE,
            1,
            payload,
            Map.of(),
            null,
            "",
            TYPE);
    store.park(
        message, new ParkedFailure(ParkedState.DEAD, false, 1, reason, Duration.ZERO), parkedMax);
  }
}
