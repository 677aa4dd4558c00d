// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.Require;
import java.time.Instant;
import java.util.UUID;

/**
 * A time-out that a saga waits for, and where its message is.
 *
 * @param name its name in the saga
 * @param id the id of its message
 * @param due when it comes, by the database's clock: as it is scheduled now, else as its saga has
 *     scheduled it
 * @param place where the message is
 */
public record SagaTimer(String name, UUID id, Instant due, Place place) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public SagaTimer {
    Require.nonNull("name", name);
    Require.nonNull("id", id);
    Require.nonNull("due", due);
    Require.nonNull("place", place);
  }

  /** Where the message of a time-out is. */
  public enum Place {
    /** It waits for its time. */
    SCHEDULED,
    /** It is in the ledger, and not all subscriptions have settled it; or that is not certain. */
    UNDERWAY,
    /** The saga's handler or receiver has parked it, to try it again. */
    PARKED,
    /** It is a dead letter of the saga's handler or receiver. */
    DEAD,
    /**
     * It is in none of these places, so it never comes: somebody has cancelled or discarded it, or
     * its subscription was deleted and has begun behind it.
     */
    GONE
  }
}
