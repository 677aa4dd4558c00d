// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.time.TimeSource;
import java.util.function.UnaryOperator;

/**
 * What a client needs to know to handle topics.
 *
 * @param naming from a message's topic to Kafka's
 * @param time the clock
 * @param times how long what may take
 * @param servers where Kafka is, for people
 */
record TopicRules(
    UnaryOperator<String> naming, TimeSource time, DeliveryTimes times, String servers) {}
