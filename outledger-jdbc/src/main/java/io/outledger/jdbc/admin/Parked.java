// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.store.ParkedState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A parked message as an operator sees it, on either side.
 *
 * @param owner who has parked it
 * @param place where, for a request or for the next page
 * @param message the message
 * @param state why it is parked
 * @param attempts how many attempts have failed
 * @param blocks whether later messages of its key are held behind it
 * @param error what happened, for people; null where it is merely held
 * @param requested what an operator has requested and is not done yet; null where there is nothing
 * @param withdrawn whether an operator has erased or revised it: nobody tries it any more, and its
 *     owner discards it
 * @param replayed whether it is the copy that a replay has made of a published message; never of a
 *     consumer
 * @param parkedAt when it was parked, by the database's clock
 * @param nextAttemptAt when it is tried again, by the database's clock; null unless retrying
 */
public record Parked(
    Reader owner,
    ParkedPoint place,
    MessageInfo message,
    ParkedState state,
    int attempts,
    boolean blocks,
    @Nullable String error,
    @Nullable ParkedRequest requested,
    boolean withdrawn,
    boolean replayed,
    Instant parkedAt,
    @Nullable Instant nextAttemptAt) {}
