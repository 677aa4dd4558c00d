// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.events;

import io.outledger.spring.boot.OutboxEvent;

/** An order is to be paid. */
@OutboxEvent(name = "payment.requested", topic = "orders", key = "orderId")
public record PaymentRequested(String orderId, int cents) {}
