// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.parcels;

import io.outledger.spring.boot.OutboxEvent;

/** A parcel or letter has moved. */
@OutboxEvent(name = "parcel.moved", topic = "parcels", key = "id")
public record ParcelMoved(String id, String place) {}
