// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import java.time.Instant;

/**
 * A record that cannot be received, named by its place. Its contents are not given: they may be
 * larger than memory, or anything.
 *
 * @param topic its topic
 * @param partition its partition's number
 * @param offset its offset in the partition
 * @param timestamp the record's own time, as its sender or the broker set it
 * @param reason what is wrong with it, for people
 */
public record UnreadableRecord(
    String topic, int partition, long offset, Instant timestamp, String reason) {}
