// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.events;

import io.outledger.spring.boot.OutboxEvent;

/** A parcel has left. */
@OutboxEvent(name = "parcel.shipped", topic = "shipments", key = "orderId")
public record ParcelShipped(String orderId) {}
