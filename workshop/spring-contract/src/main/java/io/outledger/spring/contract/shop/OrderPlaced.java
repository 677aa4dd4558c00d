// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.shop;

import io.outledger.spring.boot.OutboxEvent;

/** An order was placed. */
@OutboxEvent(name = "order.placed", topic = "orders", key = "orderId")
public record OrderPlaced(String orderId, int cents) {}
