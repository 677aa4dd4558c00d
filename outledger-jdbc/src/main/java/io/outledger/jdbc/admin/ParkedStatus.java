// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A parked message as an operator sees it.
 *
 * @param parked the message, its route, state and attempts
 * @param error what happened, for people; null where it is merely held
 * @param requested what an operator has requested and the subscription's owner has not done yet;
 *     null where there is nothing
 * @param parkedAt when it was parked, by the database's clock
 * @param nextAttemptAt when it is tried again, by the database's clock; null unless retrying
 */
public record ParkedStatus(
    ParkedMessage parked,
    @Nullable String error,
    @Nullable ParkedRequest requested,
    Instant parkedAt,
    @Nullable Instant nextAttemptAt) {

  /** Returns where it is parked, for a request or the next page of a list. */
  public ParkedPlace place() {
    return ParkedPlace.of(parked);
  }
}
