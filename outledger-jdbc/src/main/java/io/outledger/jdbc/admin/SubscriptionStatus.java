// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where a subscription stands.
 *
 * @param name its name
 * @param partition its partition, 0 for the only one
 * @param high the highest position it has seen
 * @param lowest the lowest position it has not settled; retention keeps all from there on
 * @param savedAt when its cursor was last saved, by the database's clock
 * @param leaseUntil when its owner's lease ends, by the database's clock; null where it was given
 *     back
 */
public record SubscriptionStatus(
    String name,
    int partition,
    long high,
    long lowest,
    Instant savedAt,
    @Nullable Instant leaseUntil) {}
