// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a consumer remembers and has parked.
 *
 * @param name its name
 * @param remembered how many messages it remembers to have processed
 * @param oldest when it processed the oldest of those that were counted; null if there is none. If
 *     there are more than were counted, it may remember older ones
 * @param parked what it has parked
 */
public record ConsumerState(
    String name, Count remembered, @Nullable Instant oldest, ParkedCounts parked) {}
