// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.events;

import io.outledger.spring.boot.OutboxEvent;

/** An order is on its way: the saga has ended. */
@OutboxEvent(name = "order.completed", topic = "orders", key = "orderId")
public record OrderCompleted(String orderId) {}
