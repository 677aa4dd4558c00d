// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.time.TimeSource;

/**
 * What a client needs to know to handle topics.
 *
 * @param routing from messages to topics of Kafka
 * @param time the clock
 * @param times how long what may take
 * @param servers where Kafka is, for people
 */
record TopicRules(TopicRouting routing, TimeSource time, DeliveryTimes times, String servers) {}
