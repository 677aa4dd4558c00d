// SPDX-License-Identifier: Apache-2.0

/**
 * NATS JetStream: {@link io.outledger.nats.NatsPublisher} publishes messages to streams as
 * CloudEvents.
 */
@NullMarked
package io.outledger.nats;

import org.jspecify.annotations.NullMarked;
