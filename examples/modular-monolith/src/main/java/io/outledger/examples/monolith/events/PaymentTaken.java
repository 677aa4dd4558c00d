// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.monolith.events;

/**
 * An order was paid.
 *
 * @param orderId the order's id
 */
public record PaymentTaken(String orderId) {}
