// SPDX-License-Identifier: Apache-2.0

/**
 * AMQP 1.0: {@link io.outledger.amqp.AmqpPublisher} sends messages as CloudEvents to a broker's
 * addresses, and {@link io.outledger.amqp.AmqpReceiver} receives them.
 */
@NullMarked
package io.outledger.amqp;

import org.jspecify.annotations.NullMarked;
