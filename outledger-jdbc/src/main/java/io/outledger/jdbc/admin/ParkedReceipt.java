// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.inbox.Received;
import io.outledger.store.ParkedState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message that a consumer received and parked, as an operator sees it.
 *
 * @param number its number among the consumer's parked messages
 * @param message the message
 * @param state why it is parked
 * @param attempts how many attempts have failed
 * @param error what happened, for people; null where it is merely held
 * @param requested what was requested and not done yet; null where nothing was
 * @param parkedAt when it was parked, by the database's clock
 */
public record ParkedReceipt(
    long number,
    Received message,
    ParkedState state,
    int attempts,
    @Nullable String error,
    @Nullable ParkedRequest requested,
    Instant parkedAt) {}
