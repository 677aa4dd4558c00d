// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.time.TimeSource;
import java.util.function.UnaryOperator;

/** What a client needs to know to handle topics: their names at Kafka, the time, and how long. */
record TopicRules(UnaryOperator<String> naming, TimeSource time, DeliveryTimes times) {}
