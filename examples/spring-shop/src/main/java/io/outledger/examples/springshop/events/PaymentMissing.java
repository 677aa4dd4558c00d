// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.events;

import io.outledger.spring.boot.OutboxEvent;

/** An order was not paid in time. */
@OutboxEvent(name = "payment.missing", topic = "orders", key = "orderId")
public record PaymentMissing(String orderId) {}
