// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one instance's relay of a subscription is doing, as it wrote last.
 *
 * @param instance the instance's name
 * @param subscription the subscription's name
 * @param partition its partition, 0 for the only one
 * @param isOwner whether it has the lease
 * @param state {@code running}, {@code waiting}, {@code paused}, {@code standby}, {@code
 *     recovering}, {@code refused} or {@code stopped}: of one that was killed, the last known one
 * @param since since when, by the database's clock
 * @param reason why, in one sentence; null where there is nothing to say
 * @param causes all that keeps messages back, the oldest first
 */
public record InstanceState(
    String instance,
    String subscription,
    int partition,
    boolean isOwner,
    String state,
    Instant since,
    @Nullable String reason,
    List<Cause> causes) {}
