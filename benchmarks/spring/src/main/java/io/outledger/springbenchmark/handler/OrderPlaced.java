// SPDX-License-Identifier: Apache-2.0
package io.outledger.springbenchmark.handler;

import io.outledger.spring.boot.OutboxEvent;

/** An order was placed. */
@OutboxEvent(name = "order.placed", topic = "orders", key = "id")
public record OrderPlaced(String id, int cents) {}
