// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.shop;

import io.outledger.spring.boot.OutboxEvent;

/** A mail about an order waits to be sent. */
@OutboxEvent(name = "mail.queued", topic = "mails", key = "orderId")
public record MailQueued(String orderId) {}
