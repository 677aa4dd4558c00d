// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.events;

import io.outledger.spring.boot.OutboxEvent;

/** An order cannot be paid. */
@OutboxEvent(name = "payment.refused", topic = "payments", key = "orderId")
public record PaymentRefused(String orderId, String reason) {}
