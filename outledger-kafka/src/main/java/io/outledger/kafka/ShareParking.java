// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.inbox.Received;
import io.outledger.receive.DeliveryLimit;
import io.outledger.receive.ReceiverOptions;
import io.outledger.receive.ReceiverStore;
import io.outledger.store.ParkedFailure;
import io.outledger.store.ParkedState;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The consumer's database, as the place where a record is safe that Kafka will soon give up.
 *
 * @param store the database; null where the handler has none
 * @param options how many messages may be parked
 */
record ShareParking(@Nullable ReceiverStore store, ReceiverOptions options) {

  static final ShareParking NONE = new ShareParking(null, ReceiverOptions.DEFAULT);

  /**
   * Asks the database whether it answers: whatever is received while it is away is a delivery in
   * vain.
   *
   * @throws io.outledger.StoreException if it does not
   */
  void check() {
    if (store != null) {
      int unused = store.due(1).size(); // the cheapest read: of an index, in our own tables
    }
  }

  /** Returns after how many deliveries Kafka gives a record up; empty if it is stored before. */
  Optional<DeliveryLimit> limit(int deliveriesMax) {
    return store != null
        ? Optional.empty()
        : Optional.of(
            new DeliveryLimit(
                deliveriesMax,
                ("Kafka gives up a record after %s deliveries (share.delivery.count.limit), and"
                        + " each member that crashes, closes or loses its connection while it has"
                        + " the record is one; give the receiver the handler of an inbox, in whose"
                        + " database the record is stored before, or raise the group's limit")
                    .formatted(deliveriesMax)));
  }

  /** Says whether a record that has come this often is to be stored before it is tried. */
  boolean isDue(int deliveries, int deliveriesMax) {
    return store != null && deliveries > 1 && deliveries >= deliveriesMax - 1;
  }

  /**
   * Stores a message, to be tried at once by whoever retries what is parked. In its last delivery
   * it is stored even where there is no room, since Kafka has none at all for it.
   *
   * @return false if there is no database
   * @throws io.outledger.StoreException if it was not stored
   */
  boolean park(Received message, int deliveries, int deliveriesMax) {
    if (store == null) {
      return false;
    }
    String reason =
        ("delivered %s of at most %s times without an acknowledgement; parked before Kafka gives"
                + " it up")
            .formatted(deliveries, deliveriesMax);
    ParkedFailure state = new ParkedFailure(ParkedState.RETRYING, true, 0, reason, Duration.ZERO);
    boolean isLast = deliveries >= deliveriesMax;
    // Where it is not parked, it was processed or parked before.
    boolean unused = store.park(message, state, isLast ? Integer.MAX_VALUE : options.parkedMax());
    return true;
  }
}
