// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.events;

import io.outledger.spring.boot.OutboxEvent;

/** What was paid for a cancelled order went back. */
@OutboxEvent(name = "payment.refunded", topic = "payments", key = "orderId")
public record PaymentRefunded(String orderId, int cents) {}
