// SPDX-License-Identifier: Apache-2.0

/**
 * NATS JetStream: {@link io.outledger.nats.NatsPublisher} publishes messages to streams as
 * CloudEvents, {@link io.outledger.nats.NatsReceiver} receives them through a durable pull
 * consumer.
 */
@NullMarked
package io.outledger.nats;

import org.jspecify.annotations.NullMarked;
