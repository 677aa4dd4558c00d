// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.events;

import io.outledger.spring.boot.OutboxEvent;

/** An order was paid. */
@OutboxEvent(name = "payment.taken", topic = "payments", key = "orderId")
public record PaymentTaken(String orderId, int cents) {}
