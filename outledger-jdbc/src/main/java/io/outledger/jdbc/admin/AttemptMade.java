// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An attempt at a parked message that has failed.
 *
 * @param number which one: 1 for the first
 * @param failedAt when its failure was saved, by the database's clock
 * @param took how long it took, from the hand-over to its outcome; null where nobody knows: it was
 *     refused without being handed over, or blamed only by what became of others
 * @param error what happened, for people
 */
public record AttemptMade(
    int number, Instant failedAt, @Nullable Duration took, @Nullable String error) {}
