// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.events;

import io.outledger.spring.boot.OutboxEvent;

/** An order is paid and can be shipped. */
@OutboxEvent(name = "order.paid", topic = "orders", key = "orderId")
public record OrderPaid(String orderId, String address) {}
