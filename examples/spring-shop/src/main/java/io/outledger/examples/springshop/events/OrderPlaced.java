// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.events;

import io.outledger.spring.boot.OutboxEvent;

/** A customer has placed an order. */
@OutboxEvent(name = "order.placed", topic = "orders", key = "orderId")
public record OrderPlaced(String orderId, String address, int cents) {}
