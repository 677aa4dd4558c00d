// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.events;

import io.outledger.spring.boot.OutboxEvent;

/** A parcel cannot be delivered. */
@OutboxEvent(name = "parcel.refused", topic = "shipments", key = "orderId")
public record ParcelRefused(String orderId, String reason) {}
