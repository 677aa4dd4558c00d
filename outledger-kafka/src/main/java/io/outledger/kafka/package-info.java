// SPDX-License-Identifier: Apache-2.0
/**
 * Messages to and from Apache Kafka. Most users need two types: {@link
 * io.outledger.kafka.KafkaPublisher} sends what a relay hands it, {@link
 * io.outledger.kafka.KafkaReceiver} hands what it receives to an inbox.
 */
@NullMarked
package io.outledger.kafka;

import org.jspecify.annotations.NullMarked;
