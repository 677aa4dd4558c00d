// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.events;

import io.outledger.spring.boot.OutboxEvent;

/** What was paid for an order is to go back. */
@OutboxEvent(name = "refund.requested", topic = "orders", key = "orderId")
public record RefundRequested(String orderId) {}
