// SPDX-License-Identifier: Apache-2.0
/**
 * Messages to and from RabbitMQ, by AMQP 0-9-1. Most users need three types: {@link
 * io.outledger.rabbitmq.RabbitBroker} says where the broker is, {@link
 * io.outledger.rabbitmq.RabbitPublisher} sends what a relay hands it, {@link
 * io.outledger.rabbitmq.RabbitReceiver} hands what a queue delivers to an inbox.
 */
@NullMarked
package io.outledger.rabbitmq;

import org.jspecify.annotations.NullMarked;
