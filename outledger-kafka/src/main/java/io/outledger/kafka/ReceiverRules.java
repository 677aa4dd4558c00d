// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.relay.Backoff;
import io.outledger.time.TimeSource;
import java.util.random.RandomGenerator;

/**
 * What a receiver needs to know besides its consumer and handler.
 *
 * @param reader makes messages of records
 * @param start where and how much to read
 * @param group the consumer group, for people
 * @param backoff how long to hold a partition after a failure
 * @param time the clock
 * @param random chance
 */
record ReceiverRules(
    RecordReader reader,
    ReceiverStart start,
    String group,
    Backoff backoff,
    TimeSource time,
    RandomGenerator random) {}
