// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What has become of a message in one subscription.
 *
 * @param subscription the subscription's name
 * @param partition its partition, 0 for the only one
 * @param state where it stands
 * @param publishedBy when it was published at the latest; null where it was not, or the database
 *     keeps no history: H2 does not, the others do for seven days
 * @param parked where it is parked, with its attempts and errors; several where several routes have
 *     parked it
 */
public record Standing(
    String subscription,
    int partition,
    State state,
    @Nullable Instant publishedBy,
    List<Parked> parked) {

  /** Where a message stands in a subscription. */
  public enum State {
    /** It was not read yet. */
    WAITING,
    /** It was read, and its outcome is not saved yet. */
    IN_FLIGHT,
    /**
     * It was not read, has no outcome or is tried again, and an operator has paused it: all of the
     * subscription, its only route, the message's topic or its key.
     */
    PAUSED,
    /** It is parked, and is tried again. */
    RETRYING,
    /** It is parked behind another message of its key. */
    HELD,
    /** It is a dead letter. */
    DEAD,
    /** It was published; or passed over, by a filter, a move or the subscription's start. */
    PUBLISHED,
    /** It was discarded. */
    DISCARDED
  }
}
