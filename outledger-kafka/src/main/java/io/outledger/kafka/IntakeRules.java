// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.relay.Backoff;
import io.outledger.time.TimeSource;
import java.util.random.RandomGenerator;

/**
 * What an intake goes by.
 *
 * @param reader makes records into messages
 * @param backoff how long a partition is held after a failure
 * @param time for the back-off
 * @param random for its jitter; used by the intake's thread alone
 * @param fromEnd whether a group without offsets starts behind the newest record
 */
record IntakeRules(
    CloudEventReader reader,
    Backoff backoff,
    TimeSource time,
    RandomGenerator random,
    boolean fromEnd) {}
