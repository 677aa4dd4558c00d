// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.events;

import io.outledger.spring.boot.OutboxEvent;

/** An order will not be fulfilled. */
@OutboxEvent(name = "order.cancelled", topic = "orders", key = "orderId")
public record OrderCancelled(String orderId, String reason) {}
